import {
  type AttemptPlan,
  cancelledResult,
  type DeliveryEnd,
  planRedelivery,
} from '@agentclash/attempt-plan';
import type {
  AttemptError,
  AttemptResult,
  AwaitedTurn,
  EventPayloads,
  Outcome,
  RunEnd,
  SnapshotRef,
} from '@agentclash/domain';
import type { ConversationState } from '../conversation/state.js';
import type { AttemptHistory } from '../events/history.js';
import { type AttemptEnd, type AttemptOutcome, outcomeOf } from '../outcome/attempt-end.js';
import { limitMessage } from '../outcome/limit-messages.js';
import type { HostedSandbox } from './sandbox-host.js';

/** The same delivery, interrupted before it was verified: the agent runs again, or the failure is the platform's. */
export function brokenOffResult<R extends DeliveryEnd>(result: R, end: AttemptEnd): R {
  const outcome = outcomeOf(end);
  return { ...cancelledResult(result), outcome: outcome.outcome, error: errorInfo(outcome) };
}

export type RunFigures = Omit<RunEnd, 'outcome' | 'finished_by'>;

type TerminalEvent =
  | { type: 'system.run.completed'; payload: EventPayloads['system.run.completed'] }
  | { type: 'system.run.failed'; payload: EventPayloads['system.run.failed'] };

interface Concluding {
  plan: Pick<AttemptPlan, 'delivery' | 'deliveries_max' | 'limits' | 'sandbox'>;
  history: AttemptHistory;
  figures: RunFigures;
  outputBytes: number | null;
  snapshot: SnapshotRef | null;
}

/** Records the terminal event of a delivery and returns its result. */
export function conclude(end: AttemptEnd, concluding: Concluding): AttemptResult {
  const { plan, history, figures, outputBytes, snapshot } = concluding;
  const outcome = withLimitMessage(outcomeOf(end), concluding);
  const { redeliver } = planRedelivery({
    ...outcome,
    delivery: plan.delivery,
    deliveriesMax: plan.deliveries_max,
    random: 0,
  });
  const { type, payload } = terminalEvent(outcome, figures, redeliver);
  history.events.record(type, payload, { summary: { status: outcome.outcome } });
  const { retryAfterSeconds } = outcome;
  const { step_count: _, ...counted } = figures;
  return {
    outcome: outcome.outcome,
    limit_kind: outcome.limit ?? null,
    finished_by: outcome.finishedBy,
    error: outcome.outcome === 'completed' ? null : errorInfo(outcome),
    retry_after_ms: retryAfterSeconds === undefined ? null : retryAfterSeconds * 1_000,
    last_sequence: history.events.lastSequence,
    final_output_bytes: outputBytes,
    ...counted,
    snapshot,
  };
}

function withLimitMessage(outcome: AttemptOutcome, { plan, figures }: Concluding): AttemptOutcome {
  if (outcome.limit === undefined || outcome.message !== undefined) return outcome;
  const { limits, sandbox } = plan;
  const { usage, cost_usd, cost_at_least_usd } = figures;
  const costUsd = cost_usd ?? cost_at_least_usd ?? null;
  return {
    ...outcome,
    message: limitMessage(outcome.limit, { limits, resources: sandbox.resources, usage, costUsd }),
  };
}

/** The terminal event of a delivery's agent phase. */
function terminalEvent(outcome: AttemptOutcome, figures: RunFigures, will_retry: boolean): TerminalEvent {
  const ended = { outcome: outcome.outcome, finished_by: outcome.finishedBy, ...figures };
  if (outcome.outcome === 'completed') return { type: 'system.run.completed', payload: ended };
  const payload: EventPayloads['system.run.failed'] = {
    ...ended,
    ...(outcome.limit && { limit_kind: outcome.limit }),
    error: errorInfo(outcome),
    will_retry,
  };
  return { type: 'system.run.failed', payload };
}

function errorInfo(outcome: AttemptOutcome): AttemptError {
  const code = outcome.code ?? outcome.outcome;
  return {
    code,
    ...(outcome.providerClass && { class: outcome.providerClass }),
    message: outcome.message ?? SENTENCES[outcome.outcome],
    retryable: outcome.retryable,
  };
}

const SENTENCES: Record<Outcome, string> = {
  completed: 'the agent completed the task',
  agent_error: 'the agent failed',
  limit_reached: 'the agent reached a limit',
  policy_violation: 'the agent violated the policy of the pack',
  provider_error: "the agent's model provider failed",
  infra_error: 'the platform failed',
  cancelled: 'the attempt was cancelled',
};

/** The state of a delivery when its execution stops: ended, or waiting for a person. */
export type AttemptProgress = { ended: AttemptResult } | { parked: ParkedAttempt };

/** A delivery that waits for a person, without a running process; `resumeAttempt` continues it. */
export interface ParkedAttempt extends AwaitedTurn {
  state: ConversationState;
  /** Stays alive until a minute after the deadline, then ends by itself. */
  sandbox: HostedSandbox;
}
