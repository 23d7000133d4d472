import type { HistoryEvent } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { describe, expect, test } from '@jest/globals';
import { freshEvents } from './event-batch.js';

const context = { runAgentId: newId(), caseKey: 'case-1', repetition: 2, known: [], lastSequence: null };
const identity = { workspace_id: newId(), run_id: newId(), attempt_id: newId(), delivery: 3 };
const event = (sequence_number: number, changes: Partial<HistoryEvent> = {}): HistoryEvent => ({
  event_id: newId(),
  schema_version: '1',
  run_id: identity.run_id,
  sequence_number,
  event_type: 'policy.violation',
  source: 'sandbox',
  occurred_at: '2026-01-01T00:00:00Z',
  payload: {},
  summary: {},
  ...changes,
});
const batch = (...events: HistoryEvent[]) => ({ ...identity, events });
const numbers = (events: HistoryEvent[]) => events.map(({ sequence_number }) => sequence_number);

describe('of a batch of events is stored', () => {
  test('a batch stores only events that are not stored yet, once, in order', () => {
    const sent = batch(event(5), event(3), event(4), event(3), event(6));
    expect(numbers(freshEvents(sent, { ...context, known: [4] }))).toEqual([3, 5, 6]);
  });

  test('a batch stores nothing after the end of the delivery', () => {
    expect(
      numbers(freshEvents(batch(event(1), event(2), event(3)), { ...context, lastSequence: 2 })),
    ).toEqual([1, 2]);
  });

  test('a batch is stored under the identities of its own attempt, whatever the sender wrote', () => {
    const forged = event(1, {
      run_id: newId(),
      attempt_id: newId(),
      run_agent_id: newId(),
      delivery: 9,
      case_key: 'x',
    });
    expect(freshEvents(batch(forged), context)[0]).toMatchObject({
      run_id: identity.run_id,
      attempt_id: identity.attempt_id,
      run_agent_id: context.runAgentId,
      delivery: 3,
      case_key: 'case-1',
      repetition: 2,
    });
  });
});
