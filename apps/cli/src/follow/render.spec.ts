import { type AttemptUpdate } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import picocolors from 'picocolors';
import { displayWidth } from '../terminal/width.js';
import { attemptEvents, events, run, runAgent } from '../testing/factories.js';
import { raced, racedLanes } from '../testing/fixtures/races.js';
import { Board } from './board.js';
import { renderBoard } from './render.js';
import { updateLine, verdictLine } from './viewer.js';

const plain = picocolors.createColors(false);
const colored = picocolors.createColors(true);

function board(): Board {
  const race = run({ name: 'nightly' });
  const lanes = [runAgent('solver', 4), runAgent('noop', 4)] as const;
  const shown = new Board(race, lanes);
  const history = events(race.id, [
    { event_type: 'run.state_changed', payload: { to: 'running' } },
    ...attemptEvents(lanes[0], 'small', { passed: true, overall: 1 }),
    ...attemptEvents(lanes[0], 'large', { passed: true, overall: 0.5 }).slice(0, 3),
  ]);
  for (const event of history) shown.apply(event);
  return shown;
}

describe('the rendered board', () => {
  test('the rendered board has a head, and for each lane its figures and its current step', () => {
    const shown = board();
    const nowMs = Date.parse(shown.startedAt ?? '') + 10_000;
    expect(renderBoard(shown, { nowMs, columns: 100, rows: 23, paint: plain })).toEqual([
      'nightly  sums v1 / default  running  1/8  10 s  ETA 1 m 10 s',
      'solver  █████░░░░░░░░░░░░░░░  1/4  score 1.000  passed 1/1  120 tokens  $0.0100',
      '  9 s  ETA 27 s  1 running: large #1 step 1 read_file',
      'noop    ░░░░░░░░░░░░░░░░░░░░  0/4  score -  passed -',
      '  waiting',
    ]);
  });

  test('an attempt whose image is pulled or built shows how far that is, until its sandbox is there', () => {
    const lane = runAgent('solver', 1);
    const shown = new Board(run({}), [lane]);
    const [started] = attemptEvents(lane, 'small', { passed: true, overall: 1 });
    if (started === undefined) throw new Error('the attempt has no events');
    const of = { ...started, event_type: 'sandbox.image.progressed' };
    const workLine = () =>
      renderBoard(shown, { nowMs: 0, columns: 100, rows: 23, paint: plain })
        .find((line) => line.includes('running:'))
        ?.replace(/^.*running: /, '');
    const shownAfter = (...more: Parameters<typeof events>[1]) => {
      const { position } = shown;
      for (const event of events('r', more)) shown.apply({ ...event, position: position + event.position });
      return workLine();
    };
    const pull = { image: 'app@sha256:00', phase: 'pull', percent: 40 };
    expect(shownAfter(started, { ...of, payload: pull })).toBe('small #1 image pull 40 %');
    const build = { image: 'build 00', phase: 'build', line: 'STEP 2/3: RUN make\u001b[2J' };
    expect(shownAfter({ ...of, payload: build })).toMatch(/^small #1 image build STEP 2\/3: RUN make/);
    expect(shownAfter({ ...of, event_type: 'sandbox.created', payload: {} })).toBe('small #1');
  });

  test('the bar of an agent is red in proportion to its verdicts', () => {
    const paint = {
      ...plain,
      green: (text: string) => text.replaceAll('█', 'g'),
      red: (text: string) => text.replaceAll('█', 'r'),
    };
    const lane = runAgent('noop', 4);
    const shown = new Board(run({}), [lane]);
    const histories = [false, true, false].flatMap((passed, index) =>
      attemptEvents(lane, `case-${index}`, { passed, overall: Number(passed) }),
    );
    for (const event of events('r', histories)) shown.apply(event);
    const options = { nowMs: 0, columns: 100, rows: 23, paint: paint as typeof plain };
    expect(renderBoard(shown, options)[1]).toContain('noop  gggggrrrrrrrrrr░░░░░  3/4');
  });

  test('a narrow screen leaves out whole figures, the least important first', () => {
    const shown = board();
    const nowMs = Date.parse(shown.startedAt ?? '') + 10_000;
    expect(renderBoard(shown, { nowMs, columns: 39, rows: 14, paint: plain })).toEqual([
      'nigh…  running  1/8  10 s  ETA 1 m 10 s',
      'solver  ███░░░░░░░░░░  1/4  score 1.000',
      '  1 running: large #1 step 1 read_file',
      'noop    ░░░░░░░  0/4  score -  passed -',
      '  waiting',
    ]);
  });

  test('a low screen omits the second lines, then lanes, and shows how many', () => {
    const shown = board();
    const at = (rows: number) => renderBoard(shown, { nowMs: 0, columns: 100, rows, paint: plain });
    expect(at(3).map((line) => line.split(' ')[0])).toEqual(['nightly', 'solver', 'noop']);
    expect(at(2)).toEqual([expect.stringContaining('nightly'), 'and 2 more, 0 of them done']);
  });

  test('no line is ever wider than the screen, whatever the names hold', () => {
    const names = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(names, fc.integer({ min: 20, max: 120 }), (lanes, columns) => {
        const shown = new Board(
          run({ name: lanes.join() }),
          lanes.map((name) => runAgent(name, 3)),
        );
        for (const line of renderBoard(shown, { nowMs: 0, columns, rows: 23, paint: colored })) {
          expect(displayWidth(line)).toBeLessThanOrEqual(columns);
          expect(line).not.toContain('\n');
        }
      }),
    );
  });
});

describe('the board of a race to a decision', () => {
  const race = { ...raced.race, cases: 500, is_decided: false } as NonNullable<typeof raced.race>;
  const { stopped: _stopped, race: _race, ...open } = raced;
  /** The race in its middle: the first pair is open, the third lane has left. */
  function running() {
    const pairs = race.pairs.map((pair, at) => (at === 0 ? { ...pair, verdict: null, lower: -0.1 } : pair));
    const lanes = racedLanes.map((lane) => ({ ...lane, progress: { ...lane.progress, skipped: 0 } }));
    const shown = new Board({ ...open, status: 'running' }, lanes);
    const news = shown.observe({ ...open, race: { ...race, pairs } });
    const history = events(raced.id, [
      { event_type: 'run.state_changed', payload: { to: 'running' } },
      ...attemptEvents(lanes[0] ?? { id: '' }, 'small', { passed: true, overall: 1 }),
      ...attemptEvents(lanes[2] ?? { id: '' }, 'small', { passed: false, overall: 0 }),
      {
        event_type: 'run.lane_halted',
        payload: {
          run_agent_id: lanes[2]?.id,
          reason: 'eliminated',
          skipped: 499,
          after_cases: 43,
          by: null,
        },
      },
    ]);
    const updates = history.flatMap((event) => shown.apply(event).update ?? []);
    return { shown, news, updates };
  }

  test('the board has a meter for each pair, open ones first, and the lanes that left', () => {
    const { shown } = running();
    const nowMs = Date.parse(shown.startedAt ?? '') + 10_000;
    expect(renderBoard(shown, { nowMs, columns: 80, rows: 23, paint: plain })).toEqual([
      'decided  sums v2 / easy  running  2/1001  10 s  ETA 1 h 23 m',
      'solver  ░░░░░░░░░░░░░░░░░    1/500  score 1.000  passed 1/1  120 tokens  $0.0100',
      '  9 s  ETA 1 h 14 m  waiting',
      'idle    ░░░░░░░░░░░░░░░░░░░░    0/500  score -  passed -',
      '  waiting',
      'hasty   ████████████████████  1/1  score 0.000  passed 0/1  120 tokens  $0.0100',
      '  7 s  left after 43 cases: its verdicts are certain, 499 attempts skipped',
      'solver : idle   ┈┈┈┈┈┈┈┈┈━┿━━━━━━━┈┈┈  open           61/500  +0.344',
      'solver : hasty  ┈┈┈┈┈┈┈┈┈┈│━━━━━━━━━━  better         20/500  +0.850',
      'idle : hasty    ┈┈┈┈┈┈┈┈┈┈│━━━━━━━━━┈  better         43/500  +0.512',
      'open after 61 of 500 cases',
    ]);
  });

  test('a race with a budget shows how much of it is used', () => {
    const { shown } = running();
    const stop_when = { budget: { usd: 23 } };
    shown.observe({ ...open, stop_when, budget: { usd: { limit: 23, spent: 1.25, reserved: 0.5 } } });
    const lines = renderBoard(shown, { nowMs: 0, columns: 80, rows: 23, paint: plain });
    expect(lines.slice(-2)).toEqual(['2 of 1500 attempts', '1.25 of 23 USD used, 0.5 reserved']);
  });

  test('a low screen shows some pairs, and how many more are decided', () => {
    const { shown } = running();
    const lines = renderBoard(shown, { nowMs: 0, columns: 80, rows: 9, paint: plain });
    expect(lines).toHaveLength(7);
    expect(lines.slice(4)).toEqual([
      expect.stringContaining('solver : idle'),
      'and 2 more pairs, 2 of them decided',
      'open after 61 of 500 cases',
    ]);
  });

  test('no line of a race is wider than the screen', () => {
    const { shown } = running();
    for (const columns of [20, 40, 59, 60, 79])
      for (const line of renderBoard(shown, { nowMs: 0, columns, rows: 23, paint: colored }))
        expect(displayWidth(line)).toBeLessThanOrEqual(columns);
  });

  test('a verdict that is new is a line where there is no terminal, once', () => {
    const { shown, news, updates } = running();
    expect(news.map((pair) => verdictLine(pair, '2026-03-01T14:05:09.000Z', plain))).toEqual([
      '14:05:09Z  verdict            solver is better than hasty  +0.850 [+0.100, +0.990]  20/500 cases',
      '14:05:09Z  verdict            idle is better than hasty  +0.512 [+0.032, +0.840]  43/500 cases',
    ]);
    expect(updates.map((each) => updateLine(each, plain)).at(-1)).toBe(
      '12:00:15Z  stopped            hasty  left after 43 cases: its verdicts are certain, 499 attempts skipped',
    );
    expect(shown.observe({ ...open, race }).map(({ a, b }) => [a.name, b.name])).toEqual([
      ['solver', 'idle'],
    ]);
    expect(shown.observe({ ...open, race })).toEqual([]);
  });
});

function update(values: Partial<AttemptUpdate>): AttemptUpdate {
  return {
    ...{
      kind: 'scored',
      at: '2026-03-01T14:05:09.123Z',
      position: 7,
      laneIndex: 0,
      laneName: 'solver',
      attemptId: 'a',
      caseKey: 'small',
    },
    ...{
      repetition: 1,
      outcome: 'completed',
      passed: true,
      overall: 1,
      message: null,
      validity: 'valid',
      scored: 1,
      total: 3,
    },
    ...values,
  };
}

test('lines of a race are aligned: the verdict first, then the score, the agent and the case', () => {
  const lines = [
    update({}),
    update({ laneName: 'a-much-longer-name', passed: false, overall: 0.25 }),
    update({ passed: null, overall: null, outcome: 'infra_error', message: 'the executor went away' }),
    update({ kind: 'retried', outcome: 'provider_error' }),
  ].map((each) => updateLine(each, plain));
  expect(lines).toEqual([
    '14:05:09Z  passed      1.000  solver  small #1  (1/3)',
    '14:05:09Z  failed      0.250  a-much-longer-name  small #1  (1/3)',
    '14:05:09Z  not graded  -      solver  small #1  infra_error: the executor went away  (1/3)',
    '14:05:09Z  again              solver  small #1  provider_error  (1/3)',
  ]);
});
