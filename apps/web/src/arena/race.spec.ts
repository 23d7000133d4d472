import type { RecordedEvent } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { Race } from './race.js';

const LANE = 'lane';
const progress = { total: 2, queued: 2, running: 0, finished: 0, scored: 0, passed: 0, by_outcome: {} };

/** A race of one lane and two attempts, and what tells it the next event. */
function open() {
  const race = new Race([{ id: LANE, name: 'solver', kind: 'scripted', progress, overall_so_far: null }]);
  let position = 0;
  const tell = (event_type: string, attempt_id: string, payload: object) => {
    position += 1;
    const identity = { run_agent_id: LANE, attempt_id, case_key: attempt_id, repetition: 1 };
    const occurred_at = `2026-01-01T00:00:${String(position).padStart(2, '0')}.000Z`;
    race.advance({ ...identity, position, event_type, payload, occurred_at } as RecordedEvent);
  };
  const run = (attempt: string, score: { overall: number | null; passed: boolean | null }) => {
    tell('attempt.state_changed', attempt, { from: 'queued', to: 'preparing' });
    tell('system.run.completed', attempt, { outcome: 'completed' });
    tell('attempt.state_changed', attempt, { from: 'running', to: 'finished', reason: 'completed' });
    tell('run.attempt_scored', attempt, score);
  };
  return { race, lane: () => race.lanes[0], tell, run };
}

const BAD = { overall: 0.5, passed: false };
const GOOD = { overall: 1, passed: true };

test('what an attempt had come to that is run again is taken back, and counted anew', () => {
  const { lane, tell, run } = open();
  run('small', GOOD);
  run('large', BAD);
  expect(lane()).toMatchObject({ finished: 2, scored: 2, passed: 1, judged: 2, overall: 0.75 });
  tell('attempt.state_changed', 'large', { from: 'finished', to: 'queued', score_withdrawn: BAD });
  expect(lane()).toMatchObject({ finished: 1, scored: 1, passed: 1, judged: 1, overall: 1, endedAt: null });
  run('large', GOOD);
  expect(lane()).toMatchObject({ finished: 2, scored: 2, passed: 2, judged: 2, overall: 1 });
  expect(lane()?.endedAt).not.toBeNull();
});

test('a retry begins the lane’s time anew and withdraws the results that it replaces', () => {
  const { race, lane, tell, run } = open();
  run('small', GOOD);
  run('large', BAD);
  tell('attempt.state_changed', 'large', { from: 'finished', to: 'queued', score_withdrawn: BAD });
  expect(lane()).toMatchObject({ startedAt: null, scoredBefore: 1 });
  expect(race.landings.map(({ attemptId }) => attemptId)).toEqual(['small']);
  tell('attempt.state_changed', 'large', { from: 'queued', to: 'preparing' });
  expect(lane()).toMatchObject({ startedAt: '2026-01-01T00:00:10.000Z', scoredBefore: 1 });
});

test('an attempt that waits for a person is not at work, though the executor’s word comes later', () => {
  const { lane, tell } = open();
  tell('attempt.state_changed', 'small', { from: 'queued', to: 'preparing' });
  tell('attempt.state_changed', 'small', { from: 'running', to: 'parked' });
  tell('system.run.started', 'small', {});
  expect(lane()?.parked).toHaveLength(1);
  expect(lane()?.running).toEqual([]);
  tell('attempt.state_changed', 'small', { from: 'parked', to: 'running' });
  expect(lane()?.running).toHaveLength(1);
});

test('an attempt that is run again before it had a score is not finished any more', () => {
  const { lane, tell } = open();
  tell('attempt.state_changed', 'small', { from: 'running', to: 'finished', reason: 'infra_error' });
  expect(lane()).toMatchObject({ finished: 1, scored: 0 });
  tell('attempt.state_changed', 'small', { from: 'finished', to: 'queued', reason: 'retry' });
  expect(lane()).toMatchObject({ finished: 0, scored: 0 });
});

test('an attempt whose scoring is recorded again after the race is not at work', () => {
  const { race, lane, run } = open();
  run('small', GOOD);
  const identity = { run_agent_id: LANE, attempt_id: 'small', case_key: 'small', repetition: 1 };
  const again = {
    ...identity,
    position: 9,
    payload: { revision: 2 },
    occurred_at: '2026-01-01T00:01:00.000Z',
  };
  race.advance({ ...again, event_type: 'scoring.started', source: 'worker_scoring' } as RecordedEvent);
  expect(lane()?.running).toEqual([]);
  expect(lane()).toMatchObject({ finished: 1, scored: 1 });
});

test('an attempt that is scored anew because others were run again counts once', () => {
  const { lane, tell, run } = open();
  run('small', BAD);
  tell('run.attempt_scored', 'small', { ...GOOD, replaces: BAD });
  expect(lane()).toMatchObject({ finished: 1, scored: 1, passed: 1, judged: 1, overall: 1 });
});
