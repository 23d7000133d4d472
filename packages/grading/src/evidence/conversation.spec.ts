import { describe, expect, test } from '@jest/globals';
import { resolveReference } from './resolve.js';
import type { AttemptEvidence } from './types.js';

const turnMessage = (turn_index: number, speaker: string, message: string, phase_id = 'p1') => ({
  event_type: `turn.${speaker}.message`,
  payload: { turn_index, message, phase_id },
});
const completed = (turn_index: number, mismatch: boolean) => ({
  event_type: 'turn.completed',
  payload: { turn_index, mismatch },
});

const conversation = attempt([
  turnMessage(0, 'user', 'hello'),
  turnMessage(0, 'assistant', 'hi\nthere'),
  completed(0, false),
  turnMessage(1, 'user', 'refund?'),
  turnMessage(1, 'assistant', 'no'),
  completed(1, true),
  turnMessage(2, 'user', 'please', 'p2'),
  turnMessage(2, 'assistant', ' \u3000'),
  completed(2, true),
]);

describe('a transcript', () => {
  test.each([
    [
      'transcript.full',
      'user[0]: hello\nassistant[0]: hi\nthere\nuser[1]: refund?\nassistant[1]: no\nuser[2]: please',
      [1, 9],
    ],
    ['transcript.last_n:2', 'user[1]: refund?\nassistant[1]: no\nuser[2]: please', [4, 9]],
    ['transcript.last_n:9', expect.stringContaining('user[0]: hello'), [1, 9]],
    ['transcript.from_mismatch', 'user[1]: refund?\nassistant[1]: no\nuser[2]: please', [4, 9]],
    [
      'turn.expectations',
      '[{"mismatch":false,"phase_id":"p1","turn_index":0},{"mismatch":true,"phase_id":"p1","turn_index":1},{"mismatch":true,"phase_id":"p2","turn_index":2}]',
      [1, 9],
    ],
  ])(
    'the reference %s selects its turns and points at them',
    (reference, text, [from_sequence, to_sequence]) => {
      expect(resolveReference(reference, conversation)).toEqual({
        state: 'resolved',
        text,
        pointer: { from_sequence, to_sequence },
      });
    },
  );

  test('a transcript from a mismatch is empty when there was no mismatch', () => {
    const calm = attempt([turnMessage(0, 'user', 'hello'), completed(0, false)]);
    expect(resolveReference('transcript.from_mismatch', calm)).toMatchObject({ text: '', isVacuous: true });
  });

  test('a turn that was cut short has its text, but no row of expectations', () => {
    const cut = attempt([turnMessage(0, 'user', 'hello')]);
    expect(resolveReference('transcript.full', cut)).toMatchObject({ text: 'user[0]: hello' });
    expect(resolveReference('turn.expectations', cut)).toMatchObject({ text: '[]' });
  });

  test.each(['transcript.full', 'transcript.from_mismatch', 'turn.expectations'])(
    'the reference %s is absent because of the agent when there are no turns',
    (reference) => {
      expect(resolveReference(reference, attempt([]))).toEqual({
        state: 'missing',
        side: 'agent',
        pointer: null,
      });
    },
  );
});

function attempt(events: { event_type: string; payload: Record<string, unknown> }[]): AttemptEvidence {
  return {
    attempt: { outcome: 'completed' },
    events: events.map((event, at) => ({
      ...event,
      sequence_number: at + 1,
      occurred_at: '2026-01-01T00:00:00.000Z',
    })),
    case: {},
  };
}
