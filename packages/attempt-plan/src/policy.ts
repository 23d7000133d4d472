import {
  admittedKinds,
  type PrimitiveName,
  primitivesOf,
  type ToolKind,
  type ToolPolicy,
} from '@agentclash/challengepack';
import type { AgentKind, ToolNarrowing } from './plan.js';

/** The permissions of one attempt: computed and recorded once, enforced at every call. */
export interface Policy {
  kinds: ReadonlySet<ToolKind>;
  /** Primitives that may run, shown or at the end of a delegation; `submit` has no kind and is not among them. */
  primitives: ReadonlySet<PrimitiveName>;
}

interface PolicySources {
  tool_policy: ToolPolicy;
  sandbox: { network_access: boolean };
  /** Closes what the pack opened; opens nothing. */
  narrowing?: Pick<ToolNarrowing, 'allow_shell' | 'allow_network'>;
}

export function effectivePolicy({ tool_policy, sandbox, narrowing }: PolicySources): Policy {
  const kinds = admittedKinds({ tool_policy, sandbox });
  if (narrowing?.allow_shell === false) kinds.delete('shell');
  if (narrowing?.allow_network === false) kinds.delete('network');
  return { kinds, primitives: primitivesOf(kinds) };
}

/** True when processes of the agent may reach out: network is admitted, and it can start processes at all. */
export function mayReachOut({ kinds }: Policy, agent: AgentKind): boolean {
  const startsProcesses = agent === 'program' || (agent !== 'endpoint' && kinds.has('shell'));
  return kinds.has('network') && startsProcesses;
}
