import { describe, expect, test } from '@jest/globals';
import { ATTEMPT_MOVES, ATTEMPT_STATES, canAttemptMove, isHeld } from './attempt-state.js';

const LEGAL = [
  'queued > preparing',
  'queued > finished',
  'queued > skipped',
  'preparing > running',
  'preparing > settling',
  'preparing > verifying',
  'preparing > queued',
  'preparing > finished',
  'running > parked',
  'running > settling',
  'running > verifying',
  'running > queued',
  'running > finished',
  'parked > running',
  'parked > settling',
  'parked > queued',
  'parked > finished',
  'settling > verifying',
  'settling > queued',
  'settling > finished',
  'verifying > queued',
  'verifying > finished',
  'finished > queued',
];
const PAIRS = ATTEMPT_STATES.flatMap((from) => ATTEMPT_STATES.map((to) => ({ from, to })));

describe('an attempt', () => {
  test.each(PAIRS)(
    'an attempt moves from $from to $to only along the stages of a delivery',
    ({ from, to }) => {
      expect(canAttemptMove(from, to)).toBe(LEGAL.includes(`${from} > ${to}`));
    },
  );

  test('an attempt is held between its claim and its end', () => {
    expect(ATTEMPT_STATES.filter(isHeld)).toEqual([
      'preparing',
      'running',
      'parked',
      'settling',
      'verifying',
    ]);
  });

  test('an attempt that is held can always be queued again and always be finished', () => {
    for (const state of ATTEMPT_STATES.filter(isHeld)) {
      expect(ATTEMPT_MOVES[state]).toEqual(expect.arrayContaining(['queued', 'finished']));
    }
  });
});
