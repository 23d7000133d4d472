import type { DeliveryEvents, HistoryEvent } from '@agentclash/contracts';
import type { AttemptState } from '@agentclash/domain';

/** Where events of a delivery belong: its attempt, and how far the delivery is stored. */
export interface DeliveryContext {
  runAgentId: string;
  caseKey: string;
  repetition: number;
  /** Of the attempt, with its newest delivery and how many it may have. */
  state: AttemptState;
  current: number;
  deliveriesMax: number;
  executorId: string | null;
  /** Numbers within the batch's range that are stored already. */
  known: number[];
  /** The number of stored events of the delivery. */
  eventsStored: number;
  /** Number of the delivery's last event, once it has ended. */
  lastSequence: number | null;
}

/**
 * The new events of a batch, as they are written: in order, under the attempt's own identities whatever the sender
 * wrote. An event that is stored or `pending` is dropped, and so is one after the end of its delivery: a lost executor
 * that came back.
 */
export function freshEvents(
  batch: DeliveryEvents & { run_id: string },
  context: Pick<DeliveryContext, 'runAgentId' | 'caseKey' | 'repetition' | 'known' | 'lastSequence'>,
  pending: ReadonlySet<number> = new Set(),
): HistoryEvent[] {
  const known = new Set([...context.known, ...pending]);
  const fresh = new Map<number, HistoryEvent>();
  for (const event of batch.events) {
    const number = event.sequence_number;
    const isLate = context.lastSequence !== null && number > context.lastSequence;
    if (!isLate && !known.has(number) && !fresh.has(number)) fresh.set(number, event);
  }
  return [...fresh.values()]
    .sort((a, b) => a.sequence_number - b.sequence_number)
    .map((event) => ({
      ...event,
      run_id: batch.run_id,
      run_agent_id: context.runAgentId,
      attempt_id: batch.attempt_id,
      delivery: batch.delivery,
      case_key: context.caseKey,
      repetition: context.repetition,
    }));
}
