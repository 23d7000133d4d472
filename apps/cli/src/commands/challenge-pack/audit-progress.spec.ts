import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Output } from '../../terminal/output.js';
import { showAuditProgress } from './audit-progress.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('a log has each check when it begins, and every few seconds how far it is', () => {
  const log = new PassThrough().setEncoding('utf8');
  const out = new Output(new PassThrough(), log, { json: false, quiet: false, color: false });
  const view = showAuditProgress(out);
  const at = (done: number) => view.at({ check: 'cheats', done, total: 120 });
  at(0);
  for (let done = 1; done <= 34; done++) at(done);
  jest.advanceTimersByTime(5_000);
  at(35);
  jest.advanceTimersByTime(5_000);
  // The same for half a minute is one line.
  jest.advanceTimersByTime(30_000);
  view.at({ check: 'strength', done: 0, total: 1 });
  view.end();
  jest.advanceTimersByTime(60_000);
  expect(String(log.read()).trimEnd().split('\n')).toEqual([
    'cheats            120 trials',
    'cheats            34 of 120 trials',
    'cheats            35 of 120 trials',
    'cheats            35 of 120 trials',
    'mutants           1 trial',
  ]);
});
