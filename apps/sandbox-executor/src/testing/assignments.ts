import {
  type AttemptPlan,
  DEFAULT_LIMITS,
  type GraderPlan,
  type PlannedAgent,
  plannedFilesystem,
  plannedSandbox,
} from '@agentclash/attempt-plan';
import {
  type AttemptResult,
  ContractError,
  type ExecutorReport,
  type HistoryEvent,
  type In,
  type leases,
  type modelSlots,
  type ParkedFate,
  type SecretBinding,
} from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import type { z } from 'zod';

/** The state of one attempt in the fake services, and what they received of it. */
export class Assignment {
  readonly events: HistoryEvent[] = [];
  readonly stages: string[] = [];
  result: z.infer<typeof AttemptResult> | undefined;
  isHeldByAnother = false;
  parked: Pick<In<typeof leases.park>, 'awaits' | 'state'> | undefined;
  message: string | null = null;
  isCancelled = false;
  isLost = false;
  readonly requestedPhases = new Set<string>();
  /** The recorded calls of the attempt that it replays; undefined: that was deleted. */
  recording: HistoryEvent[] | undefined;

  constructor(
    readonly plan: AttemptPlan,
    readonly grader: GraderPlan,
  ) {}

  get fate(): ParkedFate {
    if (this.isLost) return 'lost';
    if (this.isCancelled) return 'cancelled';
    const isOver = Date.parse(this.parked?.awaits.deadline_at ?? '') <= Date.now();
    return this.message !== null || isOver ? 'ready' : 'waits';
  }

  of(type: string): HistoryEvent['payload'][] {
    return this.events.filter((event) => event.event_type === type).map((event) => event.payload);
  }
}

/** A secret of the vault; without hosts it may go to any. */
export interface KnownSecret {
  value: string;
  hosts?: string[];
  binding?: SecretBinding;
}

/** Slots for model calls as the executor acquired them; `limit` of them at once. */
export class Slots {
  limit = 100;
  readonly held = new Map<string, In<typeof modelSlots.acquire>>();
  readonly released: In<typeof modelSlots.release>[] = [];
  /** Requests while none was free. */
  refused = 0;
}

export type LostReply = 'claim' | 'grader';

/** The state of the fake services: attempts by id, and everything that they received. */
export class Assignments extends Map<string, Assignment> {
  readonly secrets = new Map<string, KnownSecret>();
  readonly slots = new Slots();
  /** The events that hold replies, by the key of the request. */
  readonly cachedReplies = new Map<string, { attempt_id: string; sequence_number: number }>();
  /** The number of attempts of each claim, and of ends of each report. */
  readonly claims: number[] = [];
  readonly finishes: number[] = [];
  /** The requests that end the work of an executor, in their order. */
  readonly shutdownRequests: ('leave' | 'resume' | 'finish')[] = [];
  /** How claims were named. */
  readonly claimIds: (string | undefined)[] = [];
  /** The number of next replies that are lost. */
  readonly toLose = { claim: 0, grader: 0 };
  /** Renewals are received at once, and replied to when it resolves. */
  renewalReply: Promise<void> | undefined;
  /** The registered executors, by id. */
  readonly executors = new Map<string, ExecutorReport>();

  /** Fails as a call does whose reply does not arrive. */
  mayLose(giveTurn: LostReply): void {
    if (this.toLose[giveTurn] === 0) return;
    this.toLose[giveTurn] -= 1;
    throw new ContractError('unavailable', 'The reply was lost.');
  }

  find(attemptId: string): Assignment {
    const found = this.get(attemptId);
    if (found === undefined) throw new ContractError('not_found', 'no such attempt');
    return found;
  }
}

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
