import { graderChecks, needsVerifier } from '@agentclash/attempt-plan';
import { createEgress, LOOPBACK_NETWORKS, parseEgressSettings } from '@agentclash/egress';
import { localPorts } from '@agentclash/local-attempts';
import type { SandboxProvider } from '@agentclash/sandbox';
import { LocalSlots } from '../models/local-slots.js';
import type { AttemptResources } from './attempt-runner.js';
import type { PreparedRun } from './prepare-run.js';

const MAX_CONCURRENCY_DEFAULT = 100;

interface MachineOptions {
  /** Absent: nothing of the run needs a sandbox. */
  sandboxes: SandboxProvider | undefined;
  /** Settings of an operator: the addresses that requests may reach, the packages of coding agents. */
  environment: Readonly<Record<string, string | undefined>>;
  /** True when endpoints and provider accounts may be on this machine. */
  allowsLoopback: boolean;
  onError: (error: unknown) => void;
  signal: AbortSignal;
}

/** True when attempts, or the graders of the pack, run in sandboxes. */
export function needsSandboxes({ version: { manifest, spec } }: PreparedRun): boolean {
  return manifest.version.execution_mode !== 'prompt_eval' || needsVerifier(graderChecks(spec));
}

/** The resources of this machine that a run uses. Rejects for settings that are not valid. */
export async function openMachine(
  { accounts }: PreparedRun,
  { sandboxes = NO_SANDBOXES, environment, allowsLoopback, onError, signal }: MachineOptions,
): Promise<AttemptResources> {
  const { EGRESS_PRIVATE, EGRESS_DENY, EGRESS_PORTS, OPERATOR_UNLOCK } = environment;
  const unlocked = [OPERATOR_UNLOCK ?? '', ...(allowsLoopback ? LOOPBACK_NETWORKS : [])].join(' ');
  const settings = parseEgressSettings({
    EGRESS_PRIVATE,
    EGRESS_DENY,
    EGRESS_PORTS,
    OPERATOR_UNLOCK: unlocked,
  });
  const limits = new Map(accounts.map(({ id, limits: set }) => [id, set?.max_concurrency]));
  const packages = packagesOf(environment);
  return {
    ports: localPorts(keeping(sandboxes, packages), { signal, onError, egress: createEgress({ settings }) }),
    slots: new LocalSlots((id) => limits.get(id) ?? MAX_CONCURRENCY_DEFAULT),
    agentDirectories: async (preset, ended) => (await packages()).directoriesOf(preset, ended),
  };
}

type Packages = import('@agentclash/engine/agent-packages').AgentPackages;

/** The packages of coding agents, whose code is loaded for agents that need them. */
function packagesOf(environment: MachineOptions['environment']): () => Promise<Packages> {
  let opening: Promise<Packages> | undefined;
  const open = async () => {
    const { AgentPackages } = await import('@agentclash/engine/agent-packages');
    const { AGENT_PACKAGES_DIR, AGENT_PACKAGES_REGISTRY, AGENT_PACKAGES_TOKEN } = environment;
    return new AgentPackages({
      directory: AGENT_PACKAGES_DIR,
      registry: AGENT_PACKAGES_REGISTRY ?? 'https://registry.npmjs.org',
      token: AGENT_PACKAGES_TOKEN,
    });
  };
  return () => {
    opening ??= open();
    return opening;
  };
}

/** The provider, with sandboxes that keep the packages which they show until they have ended. */
function keeping(provider: SandboxProvider, packages: () => Promise<Packages>): SandboxProvider {
  const create: SandboxProvider['create'] = async (spec, options) => {
    const opener = (spec.directories ?? []).length === 0 ? provider : (await packages()).kept(provider);
    return await opener.create(spec, options);
  };
  return new Proxy(provider, {
    get(target, key) {
      if (key === 'create') return create;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Of a run whose attempts need none. */
const NO_SANDBOXES: SandboxProvider = {
  ...{ name: 'none', isolation: 'full', capabilities: {} },
  create: async () => {
    throw new Error('the run was planned without sandboxes');
  },
  close: async () => undefined,
} as object as SandboxProvider;
