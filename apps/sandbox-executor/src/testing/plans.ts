import {
  type AttemptPlan,
  DEFAULT_LIMITS,
  type GraderPlan,
  type PlannedAgent,
  plannedFilesystem,
  plannedSandbox,
} from '@agentclash/attempt-plan';
import { newId } from '@agentclash/service-kit';

/** The parts of a plan that a test sets; the rest is the smallest native attempt. */
export function attemptPlan(agent: PlannedAgent, changes: Partial<AttemptPlan> = {}): AttemptPlan {
  return {
    schema: 'agentclash.attempt-plan/1',
    workspace_id: newId(),
    run_id: newId(),
    run_agent_id: newId(),
    attempt_id: newId(),
    delivery: 1,
    case_key: 'case-1',
    repetition: 1,
    mode: 'native',
    agent,
    challenge: { title: 'Task', instructions: 'Do it.' },
    case: { payload: {}, inputs: [] },
    files: [],
    tools: { custom: [], workspace: [], allowed: [], denied: [] },
    tool_policy: {},
    filesystem: plannedFilesystem(),
    sandbox: plannedSandbox(),
    limits: { ...DEFAULT_LIMITS, run_timeout_seconds: 60 },
    narrowing: { denied_tools: [] },
    planted_secrets: [],
    ...changes,
  };
}

export function graderPlan(plan: AttemptPlan, changes: Partial<GraderPlan> = {}): GraderPlan {
  return {
    schema: 'agentclash.grader-plan/1',
    attempt_id: plan.attempt_id,
    checks: [],
    code_executions: [],
    expectations: [],
    case: plan.case,
    filesystem: plan.filesystem,
    sandbox: plan.sandbox,
    ...changes,
  };
}
