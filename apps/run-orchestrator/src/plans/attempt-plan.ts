import type { Case } from '@agentclash/challengepack';
import {
  type AttemptPlan,
  type GraderPlan,
  type LimitSettings,
  type PlannedAgent,
  planFromPack,
  planGrading,
  resolveLimits,
  scriptFor,
  type ToolNarrowing,
} from '@agentclash/engine';
import type { AgentSnapshot } from './agent-snapshot.js';
import type { PackVersionView } from './pack-version.js';

/** Which delivery of which attempt a plan is for. */
export type PlanIdentity = Pick<
  AttemptPlan,
  'workspace_id' | 'run_id' | 'run_agent_id' | 'attempt_id' | 'delivery' | 'repetition'
>;

export interface PlanSources {
  version: PackVersionView;
  case: Case;
  agent: AgentSnapshot;
  runLimits: LimitSettings;
}

/**
 * What an executor needs to drive one delivery. Built by naming fields: expectations, the evaluation spec and other
 * cases have no way in.
 */
export function attemptPlan(
  identity: PlanIdentity,
  { version, case: each, agent, runLimits }: PlanSources,
): AttemptPlan {
  const { workspace_id, run_id, run_agent_id, attempt_id, delivery, repetition } = identity;
  const { tools, ...pack } = planFromPack(version.manifest, each, planOptions(version, agent));
  return {
    schema: 'agentclash.attempt-plan/1',
    workspace_id,
    run_id,
    run_agent_id,
    attempt_id,
    delivery,
    repetition,
    ...pack,
    agent: plannedAgent(agent, each.case_key),
    tools: { ...tools, workspace: [] },
    limits: resolveLimits({
      run: runLimits,
      caseTimeoutSeconds: each.case_timeout_seconds ?? 0,
      profile: agent.profile ?? {},
      pack: version.spec.runtime_limits,
    }),
    narrowing: narrowingOf(agent),
  };
}

/** The part that holds answers; handed out only when the agent's processes are dead. */
export function graderPlan(attemptId: string, { version, case: each, agent }: PlanSources): GraderPlan {
  const { manifest, spec } = version;
  return planGrading(manifest, each, { attemptId, spec, ...planOptions(version, agent) });
}

function planOptions({ artifacts }: PackVersionView, { profile }: AgentSnapshot) {
  return { artifactOf: (id: string) => artifacts.get(id), resources: profile?.sandbox ?? {} };
}

function plannedAgent(agent: AgentSnapshot, caseKey: string): PlannedAgent {
  if (agent.kind === 'program') return { kind: 'program', config: agent.config };
  return { kind: 'scripted', config: scriptFor(agent.config, caseKey) };
}

function narrowingOf({ profile }: AgentSnapshot): ToolNarrowing {
  const { allow_shell, allow_network, denied_tools = [] } = profile?.tool_policy ?? {};
  return {
    ...(allow_shell !== undefined && { allow_shell }),
    ...(allow_network !== undefined && { allow_network }),
    denied_tools,
  };
}
