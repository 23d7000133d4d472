import { type AttemptPlan, effectivePolicy, mayReachOut } from '@agentclash/attempt-plan';
import type { Manifest } from '@agentclash/challengepack';
import type { AgentSnapshot } from '../plans/agent-snapshot.js';

/** What an executor's sandboxes must offer. */
export interface SandboxNeeds {
  /** Absent: any image will do. */
  template?: string;
  packages: readonly string[];
  /** Whether processes of the agent may have network. Without it they run with a warning. */
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
    const policy = effectivePolicy({ tool_policy, sandbox: { network_access }, narrowing });
    return mayReachOut(policy, kind);
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
    reachesOut: plan.mode !== 'prompt_eval' && mayReachOut(effectivePolicy(plan), plan.agent.kind),
  };
}
