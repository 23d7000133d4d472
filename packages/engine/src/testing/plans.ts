import { randomUUID } from 'node:crypto';
import {
  type AttemptPlan,
  DEFAULT_LIMITS,
  type GraderPlan,
  type PlannedAgent,
  plannedFilesystem,
  plannedSandbox,
} from '@agentclash/attempt-plan';

/** A plan of the smallest native attempt, with what a test cares about changed. */
export function attemptPlan(agent: PlannedAgent, changes: Partial<AttemptPlan> = {}): AttemptPlan {
  return {
    schema: 'agentclash.attempt-plan/1',
    workspace_id: randomUUID(),
    run_id: randomUUID(),
    run_agent_id: randomUUID(),
    attempt_id: randomUUID(),
    delivery: 1,
    case_key: 'case-1',
    repetition: 1,
    mode: 'native',
    agent,
    challenge: { title: 'Add', instructions: 'Add {{a}} and {{b}}.' },
    case: { payload: { a: 2, b: 3 }, inputs: [] },
    files: [],
    tools: { custom: [], workspace: [], allowed: [], denied: [] },
    tool_policy: {},
    filesystem: plannedFilesystem(),
    sandbox: plannedSandbox(),
    limits: { ...DEFAULT_LIMITS, run_timeout_seconds: 30 },
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
