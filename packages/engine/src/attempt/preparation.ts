import { hasPackages } from '@agentclash/agent-presets';
import type { AttemptPlan } from '@agentclash/attempt-plan';
import type { HostDirectory } from '@agentclash/sandbox';
import { ACCOUNT_WAIT_MS_MAX, AttemptEnded } from '../outcome/attempt-end.js';
import type { StageClock } from '../outcome/stage-clock.js';
import { hasBroker } from '../programs/program-broker.js';
import type { AttemptSandbox } from '../sandbox/attempt-sandbox.js';
import type { PlantedSecrets } from '../staging/planted-secrets.js';
import { stageFiles } from '../staging/stage.js';
import type { Assembly } from './assembly.js';
import type { AttemptPorts } from './ports.js';
import { egressPortFor, SandboxEgressPort } from './sandbox-egress.js';
import { humanTimeoutsMs, type openSandbox, wallMsOf } from './sandbox-host.js';
import { stagedRootsOf, stageServers } from './servers.js';

export const PREPARE_MS = 180_000;
export const SETTLE_MS = 60_000;

type SandboxOrder = Parameters<typeof openSandbox>[0];

interface PreparationOptions
  extends Pick<AttemptPorts, 'sandboxes' | 'starvationMax' | 'artifacts' | 'agentDirectories'> {
  plan: AttemptPlan;
  planted: PlantedSecrets;
  stage: Pick<StageClock, 'signal'>;
}

/** The sandbox that an attempt needs: limits, ports and directories. Throws AttemptEnded. */
export async function sandboxOrder(
  { policy, surface }: Assembly,
  options: PreparationOptions,
): Promise<SandboxOrder> {
  const { plan, planted, sandboxes } = options;
  const { filesystem, sandbox, limits } = plan;
  return {
    labels: { runId: plan.run_id, attemptId: plan.attempt_id },
    filesystem,
    sandbox,
    env: planted.environment(sandbox.env_vars),
    stagedRoots: stagedRootsOf(plan),
    wallMs:
      PREPARE_MS +
      wallMsOf(limits.run_timeout_seconds * 1_000, options) +
      ACCOUNT_WAIT_MS_MAX +
      SETTLE_MS +
      humanTimeoutsMs(plan.conversation),
    egressPort: egressPortFor(policy, plan.agent, sandboxes.capabilities),
    brokerPort: hasBroker(plan.agent, surface, plan.tools) ? new SandboxEgressPort() : undefined,
    directories: await agentDirectoriesOf(options),
  };
}

/** Puts the files of the case, the planted secrets and the files of servers into the sandbox. */
export async function stageAttempt(
  sandbox: AttemptSandbox,
  { plan, planted, artifacts, stage: { signal } }: PreparationOptions,
): Promise<void> {
  const { filesystem } = plan;
  await stageFiles(sandbox, [...plan.files, ...planted.files()], {
    artifacts,
    directory: filesystem.working_directory,
    roots: filesystem.writable_roots,
    signal,
  });
  await stageServers(plan, sandbox, { artifacts, signal });
  planted.recordPlanted(plan.sandbox.env_vars);
}

async function agentDirectoriesOf({
  plan,
  agentDirectories,
  stage: { signal },
}: PreparationOptions): Promise<HostDirectory[]> {
  const preset = plan.agent.kind === 'program' ? plan.agent.config.preset : undefined;
  if (preset === undefined || !hasPackages(preset.definition)) return [];
  if (agentDirectories) return await agentDirectories(preset, signal);
  const message = 'packages of agents are not available here';
  throw new AttemptEnded({ because: 'infra', code: 'agent_packages', message });
}
