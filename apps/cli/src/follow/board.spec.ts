import { etaMs, type RaceUpdate, type RecordedEvent } from '@agentclash/api';
import { expectEtas, expectHalts } from '@agentclash/api/testing/lane-figures';
import { describe, expect, test } from '@jest/globals';
import { attemptEvents, events, run, runAgent } from '../testing/factories.js';
import { Board } from './board.js';

/** Plays a history behind the last event that the board has. */
function play(board: Board, history: readonly RecordedEvent[]): RaceUpdate[] {
  const { position } = board;
  const isLater = (history[0]?.position ?? 0) <= position;
  return history.flatMap(
    (event) => board.apply(isLater ? { ...event, position: position + event.position } : event).update ?? [],
  );
}

describe('the board', () => {
  const race = run({ name: 'nightly' });
  const solver = runAgent('solver', 2);
  const noop = runAgent('noop', 2);

  test('the board counts the results of its lanes, and reports each attempt once, when it is scored', () => {
    const board = new Board(race, [solver, noop]);
    const results = play(
      board,
      events(race.id, [
        { event_type: 'run.state_changed', payload: { from: 'queued', to: 'running' } },
        ...attemptEvents(solver, 'small', { passed: true, overall: 1 }),
        ...attemptEvents(solver, 'large', { passed: false, overall: 0.5 }),
        ...attemptEvents(noop, 'small', { passed: null, overall: null, outcome: 'infra_error' }),
      ]),
    );
    expect(
      board.lanes.map(({ finished, scored, passed, judged, overall }) => [
        finished,
        scored,
        passed,
        judged,
        overall,
      ]),
    ).toEqual([
      [2, 2, 1, 2, 0.75],
      [1, 1, 0, 0, null],
    ]);
    expect(board).toMatchObject({ status: 'running', scored: 3, total: 4 });
    expect(results).toMatchObject([
      { kind: 'run', status: 'running' },
      { kind: 'scored', laneName: 'solver', caseKey: 'small', passed: true, scored: 1, total: 2 },
      { kind: 'scored', laneName: 'solver', caseKey: 'large', passed: false, scored: 2 },
      { kind: 'scored', laneName: 'noop', outcome: 'infra_error', message: 'it broke', passed: null },
    ]);
  });

  test('the board withdraws the results of attempts that are run again, and counts them again', () => {
    const board = new Board(race, [solver]);
    const retried = attemptEvents(solver, 'large', { passed: false, overall: 0.5 });
    const { attempt_id } = retried[0] ?? {};
    const again = (event: (typeof retried)[number]) => ({ ...event, attempt_id });
    play(
      board,
      events(race.id, [
        ...attemptEvents(solver, 'small', { passed: true, overall: 1 }),
        ...retried,
        { event_type: 'run.completed', payload: { status: 'completed' } },
        { event_type: 'run.state_changed', payload: { from: 'completed', to: 'running' } },
        {
          ...{ event_type: 'attempt.state_changed', attempt_id, run_agent_id: solver.id },
          payload: {
            ...{ from: 'finished', to: 'queued', reason: 'retry' },
            score_withdrawn: { overall: 0.5, passed: false },
          },
        },
      ]),
    );
    expect(board).toMatchObject({ status: 'running', endedAt: null, scored: 1 });
    expect(board.lanes[0]).toMatchObject({ finished: 1, scored: 1, judged: 1, overall: 1 });
    play(board, events(race.id, attemptEvents(solver, 'large', { passed: true, overall: 1 }).map(again)));
    expect(board.lanes[0]).toMatchObject({ finished: 2, scored: 2, passed: 2, judged: 2, overall: 1 });
  });

  test('the board counts an attempt once that is rescored because others were run again', () => {
    const board = new Board(race, [solver]);
    const history = attemptEvents(solver, 'small', { passed: false, overall: 0.5 });
    const { attempt_id } = history[0] ?? {};
    const rescored = {
      ...{ event_type: 'run.attempt_scored', attempt_id, run_agent_id: solver.id },
      payload: { attempt_id, passed: true, overall: 1, replaces: { passed: false, overall: 0.5 } },
    };
    play(board, events(race.id, [...history, rescored]));
    expect(board.lanes[0]).toMatchObject({ finished: 1, scored: 1, judged: 1, passed: 1, overall: 1 });
  });

  test('the board is not restarted by a scoring that is recorded after the race', () => {
    const board = new Board(race, [solver]);
    const history = attemptEvents(solver, 'small', { passed: true, overall: 1 });
    const { attempt_id } = history[0] ?? {};
    const scoring = {
      ...{ event_type: 'scoring.started', source: 'worker_scoring' as const, payload: { revision: 2 } },
      ...{ attempt_id, run_agent_id: solver.id, delivery: 1 },
    };
    play(board, events(race.id, [...history, scoring]));
    expect(board.lanes[0]).toMatchObject({ finished: 1, scored: 1, running: [] });
    expect(board.lanes[0]?.parked).toEqual([]);
  });

  test('the board shows step and tool of active attempts, and drops attempts that ended', () => {
    const board = new Board(race, [solver]);
    const history = events(race.id, attemptEvents(solver, 'small', { passed: true, overall: 1 }));
    play(board, history.slice(0, 3));
    expect(board.lanes[0]?.running).toMatchObject([
      { caseKey: 'small', state: 'running', step: 1, tool: 'read_file' },
    ]);
    play(board, history.slice(3));
    expect(board.lanes[0]?.running).toEqual([]);
  });

  test('tokens grow with each call, and the totals of an attempt replace the sum of its calls', () => {
    const board = new Board(race, [solver]);
    const all = attemptEvents(solver, 'small', { passed: true, overall: 1 });
    const [start, ...rest] = all;
    const call = {
      ...start,
      event_type: 'model.call.completed',
      payload: { usage: { input: 40, output: 10 }, cost_usd: 0.004 },
    };
    const history = events(race.id, [...(start ? [start] : []), call, ...rest]);
    play(board, history.slice(0, 2));
    expect(board.lanes[0]).toMatchObject({ tokens: 50, costUsd: 0.004 });
    play(board, history.slice(2));
    expect(board.lanes[0]).toMatchObject({ tokens: 120, costUsd: 0.01 });
  });

  test('an attempt that is retried is reported as such and still counts once', () => {
    const board = new Board(race, [solver]);
    const [start, ...rest] = attemptEvents(solver, 'small', { passed: true, overall: 1 });
    const failed = {
      ...start,
      event_type: 'system.run.failed',
      payload: { outcome: 'infra_error', will_retry: true, error: { message: 'worker lost' } },
    };
    const queued = {
      ...start,
      event_type: 'attempt.state_changed',
      payload: { from: 'running', to: 'queued' },
    };
    const results = play(
      board,
      events(race.id, [...(start ? [start] : []), failed, queued, ...(start ? [start] : []), ...rest]),
    );
    expect(results).toMatchObject([
      { kind: 'retried', message: 'worker lost' },
      { kind: 'scored', passed: true },
    ]);
    expect(board.lanes[0]).toMatchObject({ finished: 1, scored: 1 });
  });

  test.each([
    [{ number: 42, name: 'nightly' }, '#42 nightly'],
    [{ number: 42, name: null }, 'Run #42'],
    [{ number: undefined, name: null }, `Run ${race.id.slice(-8)}`],
  ])('the title has the number of the run, or a part of its id: %j', (named, title) => {
    expect(new Board({ ...race, ...named }, []).title).toMatch(new RegExp(`^${title}  `));
  });

  test('unknown events and events of other runs change nothing', () => {
    const board = new Board(race, [solver]);
    const history = attemptEvents(noop, 'small', { passed: true, overall: 1 });
    expect(play(board, events(race.id, [...history, { event_type: 'weather.changed' }]))).toEqual([]);
    expect(board.scored).toBe(0);
  });

  test('the remaining time is estimated from the completed attempts', () => {
    const board = new Board(race, [solver]);
    expect(etaMs(board, 0)).toBeNull();
    const history = events(race.id, [
      { event_type: 'run.state_changed', payload: { to: 'running' } },
      ...attemptEvents(solver, 'small', { passed: true, overall: 1 }),
    ]);
    play(board, history);
    expect(etaMs(board, Date.parse(board.startedAt ?? '') + 30_000)).toBe(30_000);
  });
});

test('the terminal shows the ETA that the page of the race shows, also after a retry', () => {
  expectEtas(({ agents, events, nowMs }) => {
    const board = new Board(run({}), agents as never);
    for (const event of events) board.apply(event);
    return board.lanes.map((lane) => etaMs(lane, nowMs));
  });
});

test('the terminal counts the skipped attempts of a halted lane as the page of the race does', () => {
  expectHalts(({ agents, events }) => {
    const board = new Board(run({}), agents as never);
    for (const event of events) board.apply(event);
    return board.lanes.map(({ skipped, total, halt }) => ({ skipped, total, reason: halt?.reason ?? null }));
  });
});
