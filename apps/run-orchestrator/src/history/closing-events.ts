import type { HistoryEvent } from '@agentclash/contracts';
import type { Outcome } from '@agentclash/domain';
import { type Interruption, isStart, PAIRS, type StartType } from '@agentclash/engine';
import { newId } from '@agentclash/service-kit';

/** An event of an interrupted delivery, its payload whole. */
export interface StoredFact {
  sequenceNumber: number;
  eventType: string;
  occurredAt: Date;
  payload: Record<string, unknown>;
}

export interface Closing {
  identity: Required<
    Pick<HistoryEvent, 'run_id' | 'run_agent_id' | 'attempt_id' | 'delivery' | 'case_key' | 'repetition'>
  >;
  outcome: Outcome;
  why: Interruption;
  willRetry: boolean;
  now: Date;
}

type Ending = Pick<HistoryEvent, 'event_type' | 'payload'>;

const RUN_ENDS = ['system.run.completed', 'system.run.failed'];
const STARTS = Object.keys(PAIRS) as StartType[];

/** Event types that decide what an interrupted delivery left open. */
export const PAIRED_TYPES: readonly string[] = [
  ...STARTS,
  ...STARTS.flatMap((type) => PAIRS[type].ends),
  ...RUN_ENDS,
];

/**
 * The events that a lost executor owes: an end for everything that was started, innermost first, then the failure of
 * the delivery unless its end is on record.
 */
export function closingEvents(
  stored: readonly StoredFact[],
  lastSequence: number,
  closing: Closing,
): HistoryEvent[] {
  const endings = [...openStarts(stored)].reverse().map((start) => endingOf(start, closing));
  if (!stored.some(({ eventType }) => RUN_ENDS.includes(eventType)))
    endings.push(runFailure(stored, closing));
  return endings.map((ending, index) => ({
    event_id: newId(),
    schema_version: '1',
    ...closing.identity,
    sequence_number: lastSequence + index + 1,
    source: 'orchestrator',
    occurred_at: closing.now.toISOString(),
    summary: {},
    ...ending,
  }));
}

function openStarts(stored: readonly StoredFact[]): StoredFact[] {
  const open = new Map<string, StoredFact>();
  for (const fact of stored) {
    if (isStartName(fact.eventType)) open.set(keyOf(fact.eventType, fact), fact);
    for (const start of STARTS) {
      if (endsOf(start).includes(fact.eventType)) open.delete(keyOf(start, fact));
    }
  }
  return [...open.values()];
}

function endingOf(fact: StoredFact, { why, now }: Closing): Ending {
  const close = PAIRS[fact.eventType as StartType].close as (
    start: unknown,
    why: Interruption,
    durationMs: number,
  ) => { type: string; payload: object };
  const { type, payload } = close(fact.payload, why, Math.max(0, now.getTime() - fact.occurredAt.getTime()));
  return { event_type: type, payload: { ...payload } };
}

function runFailure(stored: readonly StoredFact[], { outcome, why, willRetry }: Closing): Ending {
  const count = (type: string) => stored.filter(({ eventType }) => eventType === type).length;
  return {
    event_type: 'system.run.failed',
    payload: {
      outcome,
      finished_by: 'none',
      step_count: count('system.step.started'),
      tool_call_count: count('tool.call.started'),
      usage: null,
      cost_usd: null,
      latency_ms: null,
      error: { code: why.code, message: why.message, retryable: outcome !== 'cancelled' },
      will_retry: willRetry,
    },
  };
}

/** Starts and ends of one thing carry the same key under the same name. */
function keyOf(start: StartType, { payload }: StoredFact): string {
  const key = PAIRS[start].key as (payload: unknown) => string;
  return `${start} ${key(payload)}`;
}

function endsOf(start: StartType): readonly string[] {
  return PAIRS[start].ends;
}

function isStartName(type: string): type is StartType {
  return isStart(type as StartType);
}
