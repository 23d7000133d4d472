import { describe, expect, test } from '@jest/globals';
import { reportOf } from './api-probe.js';
import { outcomeViolations, repeatedly } from './attacks/attack.js';
import { documentOf, measuredOf, type Trial, tableOf } from './measure.js';

interface Figures {
  aloneP99Ms?: number;
  alone?: number;
  attacked?: number;
  p99Ms?: number;
  violations?: string[];
}

function trial({
  alone = 2,
  attacked = 3,
  p99Ms = 100,
  aloneP99Ms = 20,
  violations = [],
}: Figures = {}): Trial {
  const api = { requests: 10, p50Ms: 5, p99Ms: aloneP99Ms, failures: {} };
  const run = { verdicts: { attempts: {}, ranking: [] }, violations: [] };
  return {
    alone: { ...run, seconds: alone, api },
    attacked: { ...run, seconds: attacked, api: { ...api, p99Ms }, outcomes: { 'http 422': 7 }, violations },
  };
}

describe('what an attack costs', () => {
  test('the cost of an attack is that of its best trial', () => {
    const trials = [trial({ attacked: 9 }), trial({ attacked: 3 }), trial({ attacked: 2, p99Ms: 5_000 })];
    const result = measuredOf('search-patterns', trials);
    expect({ ...result, best: trials.indexOf(result.best) }).toEqual({
      key: 'search-patterns',
      trials: 3,
      ratio: 1.5,
      best: 1,
      missed: [],
    });
  });

  test.each<[string, Figures, string]>([
    [
      'a run that takes more than twice its time',
      { attacked: 4.2 },
      'the run took 2.10 times its time alone',
    ],
    ['an API that takes more than a second', { p99Ms: 1_001 }, "the API's p99 was 1001 ms"],
    [
      'an API that takes more than twice its time alone on a busy machine',
      { p99Ms: 1_601, aloneP99Ms: 800 },
      "the API's p99 was 1601 ms",
    ],
    [
      'what must never be',
      { violations: ['under attack: GET runs: 503 (1)'] },
      'under attack: GET runs: 503 (1)',
    ],
  ])('the missed bounds of an attack name %s', (_what, figures, missed) => {
    expect(measuredOf('slow-bodies', [trial(figures)]).missed).toEqual([missed]);
  });

  test('an API that is as slow alone misses no bound', () => {
    expect(measuredOf('slow-bodies', [trial({ p99Ms: 1_599, aloneP99Ms: 800 })]).missed).toEqual([]);
  });

  test('a violation counts in every trial, not in the best alone', () => {
    const trials = [trial(), trial({ attacked: 4, violations: ['a process restarted'] })];
    expect(measuredOf('slow-bodies', trials).missed).toEqual(['a process restarted']);
  });
});

test('the table has a line for each attack and one for each bound that was missed', () => {
  const table = tableOf([measuredOf('slow-bodies', [trial({ attacked: 5 })])]);
  expect(table.split('\n')).toEqual([
    expect.stringMatching(/^attack +alone +attacked +ratio/),
    expect.stringMatching(/^slow-bodies +2\.00 s +5\.00 s +2\.50× +5 ms +100 ms +20 ms +7 × http 422$/),
    'MISSED slow-bodies: the run took 2.50 times its time alone',
  ]);
});

test('the document has the figures of each attack by its key', () => {
  expect(documentOf([measuredOf('slow-bodies', [trial()])])).toMatchObject({
    bounds: { ratio: 2, api_p99_ms: 1_000 },
    attacks: { 'slow-bodies': { ratio: 1.5, api_p99_ms: 100, outcomes: { 'http 422': 7 }, missed: [] } },
  });
});

const attack = { expected: [/^http 201$/], required: /^http 422$/ };

describe('the outcomes of an attack', () => {
  test('the outcomes of an attack are right when the required one is among them, and nothing unexpected', () => {
    expect(outcomeViolations(attack, { 'http 201': 3, 'http 422': 1 })).toEqual([]);
  });

  test.each([
    ['something unexpected', { 'http 422': 1, 'http 500': 2 }, 'the attacker got http 500 (2)'],
    ['nothing of what is required', { 'http 201': 3 }, 'the attacker did not get ^http 422$'],
  ])('the violations of an attack name %s', (_what, outcomes, violation) => {
    expect(outcomeViolations(attack, outcomes)).toEqual([violation]);
  });
});

test('work is repeated by so many at once until it is ended, and none is left under way', async () => {
  let atOnce = 0;
  let most = 0;
  let done = 0;
  const enough = Promise.withResolvers<void>();
  const end = repeatedly(3, async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise(setImmediate);
    atOnce -= 1;
    done += 1;
    if (done === 30) enough.resolve();
  });
  await enough.promise;
  await end();
  const before = done;
  await new Promise(setImmediate);
  expect({ most, atOnce, isOver: done === before }).toEqual({ most: 3, atOnce: 0, isOver: true });
});

test('the report of a probe has the quantiles of all requests, and each kind of failure with its number', () => {
  const probes = Array.from({ length: 100 }, (_, at) => ({ request: 'GET runs', status: 200, ms: at + 1 }));
  const failed = [0, 503, 503].map((status) => ({ request: 'POST tools', status, ms: 50 }));
  expect(reportOf(probes)).toEqual({ requests: 100, p50Ms: 50, p99Ms: 99, failures: {} });
  expect(reportOf([...probes, ...failed]).failures).toEqual({ 'POST tools: 0': 1, 'POST tools: 503': 2 });
});
