import { readEvaluationSpec } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import { estimateLane } from '../sequential/lane-sequence.js';
import type { AttemptSummary } from './attempt-facts.js';
import { aggregateRunAgent } from './run-agent.js';
import type { ScoredAttempt } from './types.js';

const SPEC = readEvaluationSpec({
  name: 'stopped',
  version_number: 1,
  judge_mode: 'deterministic',
  validators: [{ key: 'v', type: 'exact_match', target: 'final_output', expected_from: 'literal:x' }],
  scorecard: { dimensions: ['correctness'], pass_threshold: 0.5 },
});
const order = Array.from({ length: 50 }, (_, index) => `case-${(index * 7) % 50}`);

function attempt(case_key: string, repetition: number, score: number): ScoredAttempt {
  const scorecard: AttemptSummary = {
    overall: score,
    passed: score >= 0.5,
    reason: 'threshold_met',
    validity: 'valid',
    dimensions: [],
  };
  return { case_key, repetition, scorecard };
}

/** Two repetitions of the first twelve cases; two cases behind them ended quickly and well. */
const counted = order
  .slice(0, 12)
  .flatMap((caseKey, at) => [
    attempt(caseKey, 1, Number(at % 3 === 0)),
    attempt(caseKey, 2, Number(at % 2 === 0)),
  ]);
const quick = order.slice(30, 32).flatMap((caseKey) => [attempt(caseKey, 1, 1), attempt(caseKey, 2, 1)]);
const input = { planned_attempts: 24, repetitions: 2, stopped: { order, position: 12 } };

describe('the scorecard of a lane that stopped early', () => {
  test('its intervals are the confidence sequence of all cases of the race, labelled as such', () => {
    const { pass_rate, overall } = aggregateRunAgent(SPEC, { attempts: counted, ...input });
    const values = order.map((_, at) =>
      at < 12 ? (Number(at % 3 === 0) + Number(at % 2 === 0)) / 2 : undefined,
    );
    const { interval } = estimateLane(values);
    for (const estimate of [pass_rate, overall]) {
      expect(estimate).toMatchObject({ n: 12, method: 'confidence_sequence', population: 50 });
      expect([estimate.interval, estimate.ci]).toEqual([interval, interval]);
    }
    const fixed = aggregateRunAgent(SPEC, { attempts: counted, planned_attempts: 24, repetitions: 2 });
    expect(fixed.pass_rate.mean).toBe(pass_rate.mean);
    expect(fixed.pass_rate).not.toHaveProperty('method');
    expect(fixed.pass_rate.interval).not.toEqual(interval);
  });

  test('cases behind its position do not count, however early they ended', () => {
    const without = aggregateRunAgent(SPEC, { attempts: counted, ...input });
    expect(aggregateRunAgent(SPEC, { attempts: [...quick, ...counted], ...input })).toEqual(without);
    expect(without).toMatchObject({ missing_share: 0, usable_attempts: 24, validity: 'valid' });
  });

  test('a counted case without a usable attempt is missing, and leaves the population', () => {
    const [first, second, ...rest] = counted;
    const lost = [first, second].flatMap((each) =>
      each === undefined ? [] : [{ ...each, scorecard: null }],
    );
    const { pass_rate, missing_attempts } = aggregateRunAgent(SPEC, {
      attempts: [...lost, ...rest],
      ...input,
    });
    expect(pass_rate).toMatchObject({ n: 11, population: 49 });
    expect(missing_attempts?.attempts).toBe(2);
  });
});
