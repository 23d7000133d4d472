import type { GatePolicy } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import { type Pair, pairedTest } from '../comparison/paired-test.js';
import { Random } from '../testing/random.js';
import { evaluateGate } from './evaluate.js';
import { fillPolicy } from './policy.js';
import type { GateEvidence, GateResult, GateSide } from './types.js';

const SIMULATIONS = 300;
/** 5 % and three standard errors of the simulation. */
const PASSES_MAX = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / SIMULATIONS);
const random = new Random(11);

const SOUND: GateSide = { validity: 'valid', passed: true, status: 'completed', missing_share: 0 };

function policy(mode: 'significant' | 'non_inferior', fail = 0.05): GatePolicy {
  return fillPolicy({ comparisons: { correctness: { max_regression: { warn: fail, fail }, mode } } });
}

function decide(pairs: readonly Pair[], by: GatePolicy): GateResult {
  const binary = pairs.every((pair) => pair.every((value) => value === 0 || value === 1));
  const { n, mean_difference: delta, se, bounds, verdict } = pairedTest(pairs, { binary, detect: 0.05 });
  const correctness = { state: 'available' as const, delta, se, n, bounds, verdict };
  const evidence: GateEvidence = {
    comparable: true,
    cases: pairs.length,
    candidate: SOUND,
    baseline: SOUND,
    dimensions: { correctness },
  };
  return evaluateGate(by, evidence);
}

interface Cell {
  n: number;
  repetitions: number;
  rate: number;
  alike: number;
  loss: number;
}

/** Cases with rates around `rate`, the candidate `loss` below it on the mean. */
function draw({ n, repetitions, rate, alike, loss }: Cell): Pair[] {
  return Array.from({ length: n }, (): Pair => {
    const before = random.beta(rate, alike);
    const after = before * (1 - loss / rate);
    const value = (each: number) => random.binomial(repetitions, each) / repetitions;
    return [value(before), value(after)];
  });
}

function sharePassing(cell: Cell, by: GatePolicy): number {
  let passing = 0;
  for (let run = 0; run < SIMULATIONS; run += 1) if (decide(draw(cell), by).verdict === 'pass') passing += 1;
  return passing / SIMULATIONS;
}

const CELLS = [5, 20, 100].flatMap((n) =>
  [1, 5].flatMap((repetitions) =>
    [0.5, 0.95].flatMap((rate) => [0.5, 50].map((alike) => ({ n, repetitions, rate, alike }))),
  ),
);

describe('non_inferior passes only what is shown', () => {
  test.each(CELLS)(
    'a candidate 0.10 worse passes a margin of 0.05 at most one time in twenty: $n cases × $repetitions at $rate, concentration $alike',
    (cell) => {
      expect(sharePassing({ ...cell, loss: 0.1 }, policy('non_inferior'))).toBeLessThanOrEqual(PASSES_MAX);
    },
  );

  test('a candidate that is worse by the margin itself passes at most one time in twenty', () => {
    const cell = { n: 100, repetitions: 1, rate: 0.999, alike: 1_000, loss: 0.05 };
    expect(sharePassing(cell, policy('non_inferior'))).toBeLessThanOrEqual(PASSES_MAX);
  });

  test.each([
    [58, 'insufficient_evidence', ['non_inferiority_not_shown:correctness']],
    [59, 'pass', ['within_thresholds']],
  ])('the decision under non_inferior on %d equal cases is %s', (n, verdict, reasons) => {
    const same = Array.from({ length: n }, (): Pair => [1, 1]);
    expect(decide(same, policy('non_inferior'))).toMatchObject({ verdict, reasons });
  });

  test('two passed cases of two on both sides decide nothing', () => {
    const same: Pair[] = [
      [1, 1],
      [1, 1],
    ];
    for (const mode of ['significant', 'non_inferior'] as const) {
      expect(decide(same, policy(mode))).toMatchObject({
        verdict: 'insufficient_evidence',
        reasons: ['too_few_cases_to_test:correctness'],
        exit_code: 3,
      });
    }
  });
});

describe('significant', () => {
  test.each([
    [5, 'insufficient_evidence'],
    [6, 'fail'],
  ])('the decision under significant on %d cases, all lost, is %s', (n, verdict) => {
    const lost = Array.from({ length: n }, (): Pair => [1, 0]);
    expect(decide(lost, policy('significant')).verdict).toBe(verdict);
  });

  test.each([
    [5, 'insufficient_evidence'],
    [6, 'pass'],
  ])('the decision under significant on %d equal cases is %s', (n, verdict) => {
    const same = Array.from({ length: n }, (): Pair => [0.5, 0.5]);
    expect(decide(same, policy('significant')).verdict).toBe(verdict);
  });

  test.each(CELLS.filter(({ n }) => n > 5))(
    'an equal candidate fails at most one time in twenty: $n cases × $repetitions at $rate, concentration $alike',
    (cell) => {
      let failing = 0;
      const by = policy('significant', 0.02);
      for (let run = 0; run < SIMULATIONS; run += 1) {
        if (decide(draw({ ...cell, loss: 0 }), by).verdict === 'fail') failing += 1;
      }
      expect(failing / SIMULATIONS).toBeLessThanOrEqual(PASSES_MAX);
    },
  );
});
