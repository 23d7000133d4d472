import type { executionEvents, HistoryEvent, In } from '@agentclash/contracts';

/** Where a batch of events belongs: its attempt, and how far its delivery is stored. */
export interface DeliveryPlace {
  runAgentId: string;
  caseKey: string;
  repetition: number;
  /** Numbers of the batch's range that are stored already. */
  known: number[];
  /** Number of the delivery's last event, once it has ended. */
  lastSequence: number | null;
}

/**
 * What of a batch is new, as it is written: in order, under the attempt's own identities whatever the sender wrote. An
 * event that is stored is dropped, and so is one after the end of its delivery: a lost executor that came back.
 */
export function freshEvents(batch: In<typeof executionEvents.emitted>, place: DeliveryPlace): HistoryEvent[] {
  const known = new Set(place.known);
  const fresh = new Map<number, HistoryEvent>();
  for (const event of batch.events) {
    const number = event.sequence_number;
    const isLate = place.lastSequence !== null && number > place.lastSequence;
    if (!isLate && !known.has(number) && !fresh.has(number)) fresh.set(number, event);
  }
  return [...fresh.values()]
    .sort((a, b) => a.sequence_number - b.sequence_number)
    .map((event) => ({
      ...event,
      run_id: batch.run_id,
      run_agent_id: place.runAgentId,
      attempt_id: batch.attempt_id,
      delivery: batch.delivery,
      case_key: place.caseKey,
      repetition: place.repetition,
    }));
}
