import { routes } from '@agentclash/api';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { command } from './testing/command.js';
import { attemptEvents, events, inputSet, pack, packVersion, run, runAgent } from './testing/factories.js';
import { useFakeApi } from './testing/fake-api.js';
import { Terminal } from './testing/terminal.js';

const { api, env } = useFakeApi();

describe('a run that ends before its last case', () => {
  const started = run({ progress: { ...run().progress, total: 80 } });
  const progress = { ...started.progress, total: 40, queued: 0, finished: 2, scored: 2, skipped: 38 };
  const [solver, noop] = [
    { ...runAgent('solver', 40), progress },
    { ...runAgent('noop', 40), progress },
  ];
  const words = 'run start --pack sums --deployment solver noop --stop-when decided'.split(' ');
  const sent = () => JSON.parse(api.seen.find(({ method }) => method === 'POST')?.body ?? 'null');

  beforeEach(() => {
    api.reset();
    api.on(routes.packs.get, () => pack([packVersion()]));
    api.on(routes.versions.inputSets, () => ({ items: [inputSet('default')] }));
    api.on(routes.runs.create, () => started);
    api.on(routes.runs.agents, () => ({ items: [solver, noop] }));
  });

  test('the options of the end of a run are sent, and the run shows them with its seed', async () => {
    const decided = { goal: 'best', metric: 'overall', alpha: 0.01, margin: 0.1 } as const;
    const stop_when = { decided, budget: { attempts: 60 } };
    api.on(routes.runs.create, () => ({ ...started, stop_when, seed: 42 }));
    const options = '--goal best --metric overall --alpha 0.01 --margin .1 --budget-attempts 60 --seed 42';
    const ended = await command([...words, ...options.split(' ')], { env });
    expect(ended.code).toBe(0);
    expect(sent()).toMatchObject({ stop_when, seed: 42 });
    expect(ended.stderr).toContain(
      'ends when the best agent is certain (overall, alpha 0.01, margin 0.1), or after 60 attempts; cases in the order of seed 42',
    );
  });

  test('a condition that the server refuses is reported by the option that set it', async () => {
    const message = '"ranking" compares lanes, and the run has one: add a deployment';
    api.fail(routes.runs.create, {
      ...{ status: 422, code: 'invalid_input', detail: 'The run cannot be started.' },
      errors: [{ code: 'contradiction', field: 'stop_when.decided.goal', message }],
    });
    expect(await command(words, { env })).toMatchObject({
      code: 64,
      stderr: expect.stringContaining(`contradiction --goal (stop_when.decided.goal): ${message}`),
    });
  });

  test.each([
    ['--alpha', '0'],
    ['--alpha', '1'],
    ['--margin', '2'],
    ['--goal', 'worst'],
    ['--baseline', 'chatty'],
    ['--budget-usd', '0'],
    ['--budget-tokens', '0'],
    ['--budget-attempts', '0'],
  ])('the option %s %s is refused by its name, and nothing is sent', async (option, value) => {
    const refused = await command([...words, option, value], { env });
    expect(refused.code).toBe(64);
    expect(refused.stderr).toContain(`option '${option} <`);
    expect(api.seen).toEqual([]);
  });

  test('a followed race prints each verdict and each lane that leaves, then its end and its promise', async () => {
    const decided = { goal: 'ranking', metric: 'pass', alpha: 0.05, margin: 0 } as const;
    const pair = { a: solver.id, b: noop.id, verdict: 'better' as const, difference: 0.9 };
    const figures = { lower: 0.1, upper: 1, cases: 2, population: 40, missing: 0 };
    const warnings = [{ code: 'price_unknown', message: 'The price of m is unknown.' }];
    const open = { ...started, stop_when: { decided }, seed: 7, warnings };
    api.on(routes.runs.create, () => open);
    api.on(routes.runs.get, () => ({
      ...{ ...open, status: 'completed' as const, stopped: 'decided' as const },
      progress: { ...started.progress, finished: 4, scored: 4, skipped: 76 },
      race: {
        ...decided,
        cases: 40,
        pairs: [{ ...pair, ...figures }],
        lanes: [],
        best: [],
        is_decided: true,
      },
    }));
    api.on(routes.versions.get, () => packVersion());
    api.on(routes.runs.ranking, () => ({
      ...{ run_id: started.id, state: 'ready' as const, revision: 1 },
      items: [solver, noop].map(({ id, name }, at) => ({
        ...{ run_agent_id: id, name, rank: at + 1, reason: 'overall', overall: 1 - at },
        ...{ passed: at === 0, validity: 'valid' },
      })),
    }));
    const halt = { run_agent_id: noop.id, reason: 'eliminated', skipped: 38, after_cases: 2, by: null };
    const history = events(started.id, [
      { event_type: 'run.state_changed', payload: { from: 'queued', to: 'running' } },
      ...attemptEvents(solver, 'small', { passed: true, overall: 1 }),
      ...attemptEvents(noop, 'small', { passed: false, overall: 0.1 }),
      { event_type: 'run.lane_halted', payload: halt },
      { event_type: 'run.completed', payload: { status: 'completed', stopped: 'decided' } },
    ]);
    api.stream(routes.runs.events, history);
    const ended = await command([...words, '--follow'], { env });
    expect(ended.code).toBe(0);
    // Once, and before anything is spent.
    expect(ended.stderr.match(/price_unknown: The price of m is unknown\./g)).toHaveLength(1);
    expect(ended.stderr.indexOf('price_unknown')).toBeLessThan(ended.stderr.indexOf('verdict'));
    expect(ended.stderr).toContain(
      'verdict            solver is better than noop  +0.900 [+0.100, +1.000]  2/40 cases',
    );
    expect(ended.stderr).toContain(
      'stopped            noop  left after 2 cases: its verdicts are certain, 38 attempts skipped',
    );
    expect(ended.stdout).toContain('decided after 2 of 40 cases, 76 attempts saved');
    expect(ended.stdout).toContain(
      'With probability at least 0.95, every verdict is what all 40 cases would have shown.',
    );
    api.stream(routes.runs.events, history);
    const { stdout } = await command(['run', 'show', started.id, '--follow', '--json'], { env });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(history);
  });

  test('the live board has a meter for each pair, and shows a verdict while the race runs', async () => {
    const decided = { goal: 'ranking', metric: 'pass', alpha: 0.05, margin: 0 } as const;
    let isDecided = false;
    api.on(routes.runs.get, () => {
      const [verdict, lower] = isDecided ? (['better', 0.1] as const) : [null, -0.2];
      const pair = { a: solver.id, b: noop.id, verdict, lower, difference: 0.4, upper: 0.9 };
      return {
        ...{ ...started, status: 'running' as const, stop_when: { decided }, seed: 7 },
        race: {
          ...{ ...decided, cases: 40, lanes: [], best: [], is_decided: false },
          pairs: [{ ...pair, cases: 12, population: 40, missing: 0 }],
        },
      };
    });
    const history = events(started.id, [
      { event_type: 'run.state_changed', payload: { from: 'queued', to: 'running' } },
      ...attemptEvents(solver, 'small', { passed: true, overall: 1 }),
    ]);
    api.stream(routes.runs.events, history.slice(0, -1), { staysOpen: true });
    const terminal = Terminal.start(['run', 'show', started.id, '--follow'], { env });
    try {
      await terminal.shows(/solver : noop {2}┈{8}━━┿━{9}┈ {2}open {10}12\/40 {2}\+0\.400/);
      await terminal.shows('open after 12 of 40 cases');
      isDecided = true;
      api.stream(routes.runs.events, history, { staysOpen: true });
      api.hangUp();
      await terminal.shows(/solver : noop {2}┈{10}│━{9}┈ {2}better {8}12\/40 {2}\+0\.400/);
      expect(terminal.screen().every((line) => line.length < 80)).toBe(true);
    } finally {
      terminal.close();
    }
  });
});
