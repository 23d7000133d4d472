import { admittedKinds, type Manifest } from '@agentclash/challengepack';
import { DEPLOYMENT_KINDS, type ExecutionMode } from '@agentclash/domain';
import type { AgentSnapshot } from '../plans/agent-snapshot.js';
import type { AdmissionProblem, Warning } from '../state/admission-problem.js';

type Agent = Pick<AgentSnapshot, 'name' | 'kind'>;

/** The kinds of deployments that each mode can drive. */
const KINDS_BY_MODE: Record<ExecutionMode, readonly AgentSnapshot['kind'][]> = {
  native: DEPLOYMENT_KINDS,
  responses: DEPLOYMENT_KINDS,
  prompt_eval: ['model', 'endpoint', 'scripted'],
  multi_turn: DEPLOYMENT_KINDS,
};

/** Attempts that one run may have. */
const ATTEMPTS_MAX = 100_000;

/** Whether the run would be too large. */
export function sizeProblem(counts: {
  agents: number;
  cases: number;
  repetitions: number;
}): AdmissionProblem | undefined {
  const total = counts.agents * counts.cases * counts.repetitions;
  if (total <= ATTEMPTS_MAX) return undefined;
  return {
    code: 'invalid_input',
    message: `The run would have ${total} attempts; at most ${ATTEMPTS_MAX} are possible. Request fewer repetitions.`,
  };
}

/** What this installation lacks to run the pack, whatever its executors can do; nothing when it can. */
export function capabilityProblem(manifest: Manifest): AdmissionProblem | undefined {
  const { modality } = manifest;
  if (modality === undefined) return undefined;
  return {
    code: 'unsupported_capability',
    message: `The pack needs modality "${modality}", which this installation does not have.`,
  };
}

/** The first deployment that cannot run the pack. */
export function compatibilityProblem(
  manifest: Manifest,
  agents: readonly Agent[],
): AdmissionProblem | undefined {
  const mode = manifest.version.execution_mode;
  const able = KINDS_BY_MODE[mode];
  const unable = agents.find(({ kind }) => !able.includes(kind));
  return (
    unable && {
      code: 'incompatible_deployment',
      message: `The deployment "${unable.name}" of kind ${unable.kind} cannot run a pack of mode ${mode}, which has no sandbox to run it in.`,
    }
  );
}

/** Warnings about the agents, for readers of the run's results. */
export function agentWarnings(manifest: Manifest, agents: readonly Agent[]): Warning[] {
  const hasSandbox = manifest.version.execution_mode !== 'prompt_eval';
  if (!hasSandbox || admittedKinds(manifest).has('shell')) return [];
  const exceeding = agents.filter(({ kind }) => kind === 'program');
  return exceeding.map(({ name }) => ({
    code: 'program_exceeds_tool_policy',
    message: `The program "${name}" starts processes, which the pack's tool policy gives to no agent.`,
  }));
}

/** What of the request has no effect with this pack and these agents. */
export function requestWarnings(
  { race_context }: { race_context?: boolean | undefined },
  { version }: Manifest,
  agents: readonly Agent[],
): Warning[] {
  const hasPeerUpdates = version.execution_mode === 'native' && agents.some(({ kind }) => kind === 'model');
  if (!race_context || hasPeerUpdates) return [];
  const message =
    'race_context has no effect: only model agents in mode native receive updates about their peers.';
  return [{ code: 'race_context_ignored', message }];
}
