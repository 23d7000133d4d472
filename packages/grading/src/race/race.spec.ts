import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Random } from '../testing/random.js';
import { SequentialRace } from './race.js';
import type { RaceBlock, RaceDecisions, RaceGoal, RaceSettings } from './types.js';

const SETTINGS: RaceSettings = {
  goal: 'ranking',
  alpha: 0.05,
  margin: 0,
  max_missing_share: 0.05,
  lanes: ['a', 'b', 'c'],
};

const orderOf = (cases: number) => Array.from({ length: cases }, (_, index) => `case-${index + 1}`);

/** The values of every lane in the drawn order; undefined for a case that runs. */
type Table = Record<string, readonly (number | null | undefined)[]>;

function blocksOf(table: Table): RaceBlock[] {
  return Object.entries(table).flatMap(([lane, values]) =>
    values.flatMap((value, index): RaceBlock[] =>
      value === undefined ? [] : [{ lane, case_key: `case-${index + 1}`, value }],
    ),
  );
}

interface Raced extends Partial<RaceSettings> {
  readonly cases: number;
  readonly ended?: boolean;
}

function decide(table: Table, { cases, ended = false, ...settings }: Raced): RaceDecisions {
  const race = new SequentialRace(
    { ...SETTINGS, lanes: Object.keys(table).filter((lane) => lane !== settings.baseline), ...settings },
    orderOf(cases),
  );
  race.update(blocksOf(table));
  return race.decisions({ ended });
}

const ones = (n: number) => Array.from({ length: n }, () => 1);
const zeros = (n: number) => Array.from({ length: n }, () => 0);
const halves = (n: number) => Array.from({ length: n }, (_, index) => index % 2);

const pairOf = (decisions: RaceDecisions, a: string, b: string) =>
  decisions.pairs.find((pair) => pair.a === a && pair.b === b);
const eliminationOf = (decisions: RaceDecisions, lane: string) =>
  decisions.lanes.find((each) => each.lane === lane)?.eliminated;

describe('the verdicts of a pair', () => {
  test('a lane that wins every case is better after a few of them, and the race is decided', () => {
    const decisions = decide({ a: ones(100), b: zeros(100) }, { cases: 100 });
    expect(decisions).toMatchObject({ state: 'decided', position: 9, cases: 100, share: 0.05, best: ['a'] });
    const [pair] = decisions.pairs;
    expect(pair).toMatchObject({ state: 'decided', verdict: 'better', sign: 1, cases: 9, population: 100 });
    expect(pair?.difference).toBe(1);
    expect(pair?.interval[0]).toBeGreaterThanOrEqual(0);
    expect(eliminationOf(decisions, 'b')).toEqual({
      position: 9,
      case_key: 'case-9',
      by: 'a',
      reason: 'decided',
    });
  });

  test('the verdict names the first lane: worse is the mirror of better', () => {
    const [pair] = decide({ a: zeros(100), b: ones(100) }, { cases: 100 }).pairs;
    expect(pair).toMatchObject({ verdict: 'worse', sign: -1, difference: -1 });
  });

  test('lanes that never differ are equivalent within a margin before the last case', () => {
    const decisions = decide({ a: halves(400), b: halves(400) }, { cases: 400, margin: 0.1 });
    const [pair] = decisions.pairs;
    expect(pair).toMatchObject({ verdict: 'equivalent', sign: null });
    expect(decisions.position).toBeLessThan(400);
    expect(pair?.interval[0]).toBeGreaterThanOrEqual(-0.1 - 1e-9);
    expect(pair?.interval[1]).toBeLessThanOrEqual(0.1 + 1e-9);
    expect(decisions.best).toEqual(['a', 'b']);
  });

  test.each([
    [[1, 1, 0, 0], [1, 0, 1, 0], 0, ['a', 'b']],
    [[1, 1, 1, 0], [1, 0, 1, 0], 1, ['a']],
    [[0, 0, 0, 0], [1, 0, 0, 0], -1, ['b']],
  ])(
    'after the last case the verdict is exact, with the sign of the difference: %j %j',
    (a, b, sign, best) => {
      const decisions = decide({ a, b }, { cases: 4 });
      expect(decisions).toMatchObject({ state: 'complete', position: 4, best });
      expect(decisions.pairs[0]).toMatchObject({ verdict: 'exact', sign });
      expect(decisions.lanes.map(({ eliminated }) => eliminated)).toEqual([null, null]);
    },
  );

  test('a case without a value on either side leaves the population of the pair', () => {
    const a = [null, ...ones(59)];
    const b = [1, null, ...zeros(58)];
    const [pair] = decide({ a, b }, { cases: 60 }).pairs;
    expect(pair).toMatchObject({ verdict: 'better', missing: 2, population: 58 });
    expect(pair?.position).toBe((pair?.cases ?? 0) + 2);
  });

  test('too many missing cases leave no verdict but insufficient', () => {
    const decisions = decide({ a: [null, null, ...ones(18)], b: zeros(20) }, { cases: 20 });
    expect(decisions.pairs[0]).toMatchObject({
      verdict: 'insufficient',
      missing: 2,
      position: 2,
      sign: null,
    });
    expect(decisions).toMatchObject({ state: 'decided', best: ['a', 'b'] });
    const allowed = decide({ a: [null, ...ones(19)], b: zeros(20) }, { cases: 20 });
    expect(allowed.pairs[0]).toMatchObject({ verdict: 'better', missing: 1, population: 19 });
    const none = decide({ a: [null, null], b: [1, 0] }, { cases: 2, max_missing_share: 1 });
    expect(none.pairs[0]).toMatchObject({ verdict: 'insufficient', population: 0 });
  });

  test('a race that was stopped before a verdict is undecided, with the interval that it has', () => {
    const table = { a: [1, 0, 1], b: [0, 0, 1] };
    expect(decide(table, { cases: 50 })).toMatchObject({ state: 'open', best: null });
    const stopped = decide(table, { cases: 50, ended: true });
    expect(stopped).toMatchObject({ state: 'stopped', best: ['a', 'b'] });
    expect(stopped.pairs[0]).toMatchObject({
      state: 'stopped',
      verdict: 'undecided',
      cases: 3,
      population: 50,
    });
  });

  test('an interval that excludes no difference and a verdict never contradict each other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 5 }), (percent, steps) => {
        const random = new Random(percent * 7 + steps);
        const lane = (rate: number) => Array.from({ length: 80 }, () => random.binomial(1, rate));
        const margin = steps / 10;
        const [pair] = decide({ a: lane(percent / 100), b: lane(0.5) }, { cases: 80, margin }).pairs;
        const [lower = 0, upper = 0] = pair?.interval ?? [];
        expect([lower >= -1, upper <= 1, lower <= upper]).toEqual([true, true, true]);
        if (pair?.verdict === 'better') expect(lower).toBeGreaterThanOrEqual(0);
        if (pair?.verdict === 'worse') expect(upper).toBeLessThanOrEqual(0);
        if (pair?.verdict === 'equivalent') {
          expect(Math.max(-lower, upper)).toBeLessThanOrEqual(margin + 1e-9);
          expect([lower <= 0, upper >= 0]).toEqual([true, true]);
        }
      }),
    );
  });
});

describe('the goals of a race', () => {
  test('a ranking shares alpha among all pairs, and a lane leaves when all its pairs are decided', () => {
    const table = { a: ones(200), b: halves(200), c: zeros(200) };
    const decisions = decide(table, { cases: 200 });
    expect(decisions.share).toBeCloseTo(0.05 / 3, 12);
    expect(decisions.pairs.map(({ verdict }) => verdict)).toEqual(['better', 'better', 'better']);
    const [ab = 0, ac = 0, bc = 0] = decisions.pairs.map(({ position }) => position);
    expect(ac).toBeLessThan(Math.min(ab, bc));
    expect(eliminationOf(decisions, 'b')?.position).toBe(Math.max(ab, bc));
    expect(eliminationOf(decisions, 'a')).toMatchObject({ position: ab, by: 'b', reason: 'decided' });
    expect(decisions).toMatchObject({ state: 'decided', best: ['a'] });
  });

  test('the goal best drops a beaten lane and no longer counts its other pairs', () => {
    const table = { a: ones(200), b: zeros(200), c: [...zeros(100), ...ones(100)] };
    const decisions = decide(table, { cases: 200, goal: 'best' });
    expect(eliminationOf(decisions, 'b')).toMatchObject({ by: 'a', reason: 'beaten' });
    expect(pairOf(decisions, 'b', 'c')).toMatchObject({
      state: 'not_needed',
      verdict: 'undecided',
      sign: null,
    });
    expect(decisions).toMatchObject({ state: 'decided', best: ['a'] });
    const ranking = decide(table, { cases: 200 });
    expect(pairOf(ranking, 'b', 'c')?.position).toBeGreaterThan(decisions.position);
  });

  test('the goal best names the lanes that are not separated when the cases have ended', () => {
    const table = { a: halves(60), b: halves(60), c: zeros(60) };
    const decisions = decide(table, { cases: 60, goal: 'best' });
    expect(decisions).toMatchObject({ state: 'complete', best: ['a', 'b'] });
    expect(pairOf(decisions, 'a', 'b')).toMatchObject({ verdict: 'exact', sign: 0 });
    expect(eliminationOf(decisions, 'c')).toMatchObject({ reason: 'beaten' });
  });

  test('the goal baseline compares every lane with the baseline alone', () => {
    const table = { a: ones(100), b: zeros(100), old: halves(100) };
    const decisions = decide(table, { cases: 100, goal: 'baseline', baseline: 'old' });
    expect(decisions.share).toBe(0.025);
    expect(decisions.pairs.map(({ a, b, verdict }) => [a, b, verdict])).toEqual([
      ['a', 'old', 'better'],
      ['b', 'old', 'worse'],
    ]);
    expect(decisions.lanes.map(({ lane }) => lane)).toEqual(['a', 'b']);
    expect(decisions.best).toBeNull();
  });

  test('a race without a second lane is rejected, and so are blocks of unknown cases and values outside 0..1', () => {
    expect(() => new SequentialRace({ ...SETTINGS, lanes: ['a'] }, orderOf(3))).toThrow(RangeError);
    const race = new SequentialRace(SETTINGS, orderOf(3));
    expect(() => race.update([{ lane: 'a', case_key: 'case-9', value: 1 }])).toThrow(
      'no lane a with a case case-9',
    );
    expect(() => race.update([{ lane: 'z', case_key: 'case-1', value: 1 }])).toThrow('no lane z');
    expect(() => race.update([{ lane: 'a', case_key: 'case-1', value: 1.5 }])).toThrow('not within 0 to 1');
  });
});

const GOALS: RaceGoal[] = ['ranking', 'best', 'baseline'];

interface Arrivals {
  readonly settings: RaceSettings;
  readonly blocks: RaceBlock[];
  readonly shuffled: RaceBlock[];
  readonly batch: number;
}

const CASES = 40;
/** Races of unequal lanes with a few missing cases, and another order of their blocks. */
const arrivals: fc.Arbitrary<Arrivals> = fc
  .record({
    seed: fc.integer({ min: 0, max: 1_000_000 }),
    goal: fc.constantFrom(...GOALS),
    batch: fc.integer({ min: 1, max: 50 }),
    margin: fc.constantFrom(0, 0.3),
  })
  .map(({ seed, goal, batch, margin }) => {
    const random = new Random(seed);
    const rates: Record<string, number> = { a: 0.9, b: 0.5, c: 0.15, d: 0.85 };
    const blocks = Object.entries(rates).flatMap(([lane, rate]) =>
      orderOf(CASES).map((case_key) => ({
        lane,
        case_key,
        value: random.uniform() < 0.02 ? null : random.binomial(2, rate) / 2,
      })),
    );
    const ranked = blocks.map((block) => ({ block, rank: random.uniform() }));
    const isBaseline = goal === 'baseline';
    return {
      settings: {
        ...{ goal, margin, alpha: 0.1, max_missing_share: 0.05 },
        lanes: isBaseline ? ['a', 'b', 'c'] : ['a', 'b', 'c', 'd'],
        ...(isBaseline && { baseline: 'd' }),
      },
      blocks,
      shuffled: ranked.sort((left, right) => left.rank - right.rank).map(({ block }) => block),
      batch,
    };
  });

describe('the cases that count for a lane', () => {
  test('a lane counts its cases up to its elimination, or those that ended without a gap', () => {
    const decided = decide({ a: ones(100), b: zeros(100) }, { cases: 100 });
    expect(decided.lanes.map(({ position }) => position)).toEqual([9, 9]);
    const stopped = decide({ a: [1, 0, null, 1, undefined, 1], b: [0, 1] }, { cases: 50, ended: true });
    expect(stopped.lanes.map(({ position }) => position)).toEqual([4, 2]);
    const complete = decide({ a: [1, 0], b: [0, 1] }, { cases: 2 });
    expect(complete.lanes.map(({ position }) => position)).toEqual([2, 2]);
  });
});

describe('the order of arrival', () => {
  test('any order of arrival, in batches of any size, gives the same intervals, cases and verdicts', () => {
    fc.assert(
      fc.property(arrivals, ({ settings, blocks, shuffled, batch }) => {
        const atOnce = new SequentialRace(settings, orderOf(CASES));
        atOnce.update(blocks);
        const bit = new SequentialRace(settings, orderOf(CASES));
        for (let from = 0; from < shuffled.length; from += batch) {
          bit.update(shuffled.slice(from, from + batch));
        }
        expect(bit.decisions()).toEqual(atOnce.decisions());
      }),
      { numRuns: 200 },
    );
  });

  test('a lane that was eliminated gives the same decisions without its later blocks', () => {
    fc.assert(
      fc.property(arrivals, ({ settings, blocks }) => {
        const whole = new SequentialRace(settings, orderOf(CASES));
        whole.update(blocks);
        const { lanes } = whole.decisions();
        const ends = new Map(lanes.map(({ lane, eliminated }) => [lane, eliminated?.position ?? CASES]));
        const needed = blocks.filter(
          ({ lane, case_key }) => orderOf(CASES).indexOf(case_key) < (ends.get(lane) ?? CASES),
        );
        const cut = new SequentialRace(settings, orderOf(CASES));
        cut.update(needed);
        expect(cut.decisions()).toEqual(whole.decisions());
      }),
      { numRuns: 200 },
    );
  });

  test('a verdict is not taken back by later cases', () => {
    fc.assert(
      fc.property(arrivals, ({ settings, shuffled, batch }) => {
        const race = new SequentialRace(settings, orderOf(CASES));
        const given = new Map<string, unknown>();
        for (let from = 0; from < shuffled.length; from += batch) {
          race.update(shuffled.slice(from, from + batch));
          for (const pair of race.decisions().pairs) {
            const key = `${pair.a} ${pair.b}`;
            if (given.has(key)) expect(pair).toEqual(given.get(key));
            else if (pair.state === 'decided') given.set(key, pair);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  test('a replaced block computes the race again from all blocks, as if it had been there at first', () => {
    fc.assert(
      fc.property(arrivals, fc.nat(), fc.option(fc.constantFrom(0, 0.5, 1)), (raced, index, value) => {
        const { settings, blocks } = raced;
        const at = index % blocks.length;
        const [changed] = blocks.slice(at, at + 1).map((block) => ({ ...block, value }));
        if (changed === undefined) throw new Error('no block');
        const rescored = new SequentialRace(settings, orderOf(CASES));
        rescored.update(blocks);
        rescored.update([changed]);
        const fresh = new SequentialRace(settings, orderOf(CASES));
        fresh.update(blocks.with(at, changed));
        expect(rescored.decisions()).toEqual(fresh.decisions());
      }),
      { numRuns: 100 },
    );
  });

  test('evidence behind a case that still runs does not count', () => {
    const a = [1, undefined, ...ones(48)];
    expect(decide({ a, b: zeros(50) }, { cases: 50 }).pairs[0]).toMatchObject({ position: 1, verdict: null });
  });
});
