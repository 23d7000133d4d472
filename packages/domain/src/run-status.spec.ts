import { describe, expect, test } from '@jest/globals';
import {
  canRepeat,
  canRunMove,
  endOfScoring,
  hasRunEnded,
  RUN_MOVES,
  RUN_STATUSES,
  startsAttempts,
} from './run-status.js';

const LEGAL = [
  'queued > running',
  'queued > failed',
  'queued > cancelled',
  'running > paused',
  'running > scoring',
  'running > failed',
  'running > cancelled',
  'paused > running',
  'paused > scoring',
  'paused > failed',
  'paused > cancelled',
  'scoring > running',
  'scoring > completed',
  'scoring > failed',
  'scoring > cancelled',
  'completed > running',
  'failed > running',
];
const EVERY_MOVE = RUN_STATUSES.flatMap((from) => RUN_STATUSES.map((to) => ({ from, to })));

describe('a run', () => {
  test.each(EVERY_MOVE)('a run moves from $from to $to only along its life', ({ from, to }) => {
    expect(canRunMove(from, to)).toBe(LEGAL.includes(`${from} > ${to}`));
  });

  test('a run has ended in its end states and nowhere else', () => {
    expect(RUN_STATUSES.filter(hasRunEnded)).toEqual(['completed', 'failed', 'cancelled']);
  });

  test('a run that has ended continues by a retry alone, and not at all when it was cancelled', () => {
    const after = RUN_STATUSES.filter(hasRunEnded).map((status) => [status, RUN_MOVES[status]]);
    expect(after).toEqual([
      ['completed', ['running']],
      ['failed', ['running']],
      ['cancelled', []],
    ]);
  });

  test('a run repeats attempts only after it completed or failed', () => {
    expect(RUN_STATUSES.filter(canRepeat)).toEqual(['completed', 'failed']);
  });

  test('a run starts attempts only before it pauses, is scored or ends', () => {
    expect(RUN_STATUSES.filter(startsAttempts)).toEqual(['queued', 'running']);
  });

  test('a run can fail and be cancelled from every state but an end state', () => {
    for (const from of RUN_STATUSES.filter((status) => !hasRunEnded(status))) {
      expect(RUN_MOVES[from]).toEqual(expect.arrayContaining(['failed', 'cancelled']));
    }
  });

  test('a run completes with one graded attempt and fails without any', () => {
    expect([0, 1, 9].map(endOfScoring)).toEqual(['failed', 'completed', 'completed']);
  });
});
