import { type AttemptScored, HistoryEvent } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { v7 as newId } from 'uuid';
import { eventsOfScoring } from './scoring-events.js';

const scoredDelivery = {
  runId: newId(),
  runAgentId: newId(),
  attemptId: newId(),
  delivery: 2,
  caseKey: 'case-1',
  repetition: 1,
  lastSequence: 7,
};
const scored: AttemptScored = {
  run_agent_id: scoredDelivery.runAgentId,
  attempt_id: scoredDelivery.attemptId,
  delivery: 2,
  revision: 3,
  overall: 0.5,
  passed: true,
  validity: 'valid',
  failure: null,
  metrics: [
    { key: 'tokens', state: 'available', value: 12 },
    { key: 'cost', state: 'unavailable', value: null },
  ],
  started_at: '2026-03-01T12:00:00.000Z',
  ended_at: '2026-03-01T12:00:01.000Z',
};
const NOW = new Date('2026-03-01T12:00:09.000Z');

describe('the events scoring.*', () => {
  test('scoring events continue from the last event of the delivery, with the payloads of the specification', () => {
    const events = eventsOfScoring(scoredDelivery, scored, NOW);
    expect(
      events.map(({ sequence_number, event_type, occurred_at, payload }) => [
        sequence_number,
        event_type,
        occurred_at,
        payload,
      ]),
    ).toEqual([
      [8, 'scoring.started', scored.started_at, { revision: 3 }],
      [9, 'scoring.metric.recorded', scored.ended_at, { key: 'tokens', state: 'available', value: 12 }],
      [10, 'scoring.metric.recorded', scored.ended_at, { key: 'cost', state: 'unavailable', value: null }],
      [11, 'scoring.completed', scored.ended_at, { overall: 0.5, passed: true, validity: 'valid' }],
    ]);
    expect(new Set(events.map(({ source }) => source))).toEqual(new Set(['worker_scoring']));
  });

  test('scoring events of a failed scoring end with its reason', () => {
    const failure = { code: 'internal', message: 'Scoring this attempt failed on our side.' };
    const nothing = { overall: null, passed: null, validity: 'invalid', metrics: undefined };
    const events = eventsOfScoring(scoredDelivery, { ...scored, ...nothing, failure }, NOW);
    expect(events.map(({ event_type, payload }) => [event_type, payload])).toEqual([
      ['scoring.started', { revision: 3 }],
      ['scoring.failed', failure],
    ]);
  });

  test('scoring events of a service without times and metrics are a start and an end now', () => {
    const { metrics: _metrics, started_at: _start, ended_at: _end, ...older } = scored;
    const events = eventsOfScoring(scoredDelivery, older, NOW);
    expect(events.map(({ event_type, occurred_at }) => [event_type, occurred_at])).toEqual([
      ['scoring.started', NOW.toISOString()],
      ['scoring.completed', NOW.toISOString()],
    ]);
  });

  test('scoring events are whole entries of a history without a gap, whatever was measured', () => {
    const value = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    );
    const metric = fc.record({ key: fc.string(), state: fc.string(), value });
    fc.assert(
      fc.property(fc.array(metric, { maxLength: 30 }), fc.nat(), (metrics, lastSequence) => {
        const events = eventsOfScoring({ ...scoredDelivery, lastSequence }, { ...scored, metrics }, NOW);
        expect(events.map(({ sequence_number }) => sequence_number - lastSequence)).toEqual(
          events.map((_event, index) => index + 1),
        );
        for (const event of events) expect(HistoryEvent.safeParse(event).error).toBeUndefined();
        expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(metrics.length + 2);
      }),
    );
  });
});
