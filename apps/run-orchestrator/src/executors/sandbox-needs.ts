import type { Manifest } from '@agentclash/challengepack';
import { type AttemptPlan, effectivePolicy } from '@agentclash/engine';
import type { AgentSnapshot } from '../plans/agent-snapshot.js';

/** What an executor's sandboxes must offer. */
export interface SandboxNeeds {
  /** Absent: any image will do. */
  template?: string;
  packages: readonly string[];
  /** Whether processes of the agent may have network. They can do without, and the run says so. */
  reachesOut: boolean;
}

type Agent = Pick<AgentSnapshot, 'kind' | 'profile'>;

/** What the pack needs when these agents work on it. */
export function needsOfPack(manifest: Manifest, agents: readonly Agent[]): SandboxNeeds {
  const { sandbox = {}, tool_policy = {} } = manifest;
  const { network_access = false } = sandbox;
  const hasSandbox = manifest.version.execution_mode !== 'prompt_eval';
  const reachesOut = agents.some(({ kind, profile }) => {
    const narrowing = profile?.tool_policy ?? {};
    return mayReachOut(kind, { tool_policy, sandbox: { network_access }, narrowing });
  });
  return {
    ...(sandbox.sandbox_template_id !== undefined && { template: sandbox.sandbox_template_id }),
    packages: sandbox.additional_packages ?? [],
    reachesOut: hasSandbox && reachesOut,
  };
}

/** What one attempt needs. */
export function needsOfPlan(plan: AttemptPlan): SandboxNeeds {
  const { sandbox_template_id, additional_packages } = plan.sandbox;
  return {
    ...(sandbox_template_id !== undefined && { template: sandbox_template_id }),
    packages: additional_packages,
    reachesOut: plan.mode !== 'prompt_eval' && mayReachOut(plan.agent.kind, plan),
  };
}

function mayReachOut(kind: AgentSnapshot['kind'], sources: Parameters<typeof effectivePolicy>[0]): boolean {
  const { kinds } = effectivePolicy(sources);
  return kinds.has('network') && (kind === 'program' || (kind !== 'endpoint' && kinds.has('shell')));
}
