import { type Case, readEvaluationSpec } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { estimateRace } from './race-estimate.js';

const exact = { key: 'exact', type: 'exact_match', target: 'final_output', expected_from: 'literal:x' };
const tests = {
  key: 'tests',
  type: 'code_execution',
  config: { test_command: 'true', timeout_ms: 30_000 },
};
const judge = {
  key: 'good',
  mode: 'rubric',
  models: ['a', 'b'],
  samples: 3,
  rubric: 'Good?',
  context_from: ['final_output'],
};

const specOf = (parts: object) =>
  readEvaluationSpec({
    ...{ name: 's', version_number: 1, judge_mode: 'hybrid', validators: [exact] },
    scorecard: { dimensions: ['correctness'] },
    ...parts,
  } as never);

type EstimatedCase = Pick<Case, 'case_timeout_seconds' | 'user_simulator'>;

const phases = (...list: object[]): EstimatedCase => ({
  user_simulator: { schema_version: 1, kind: 'hybrid', max_turns: 8, phases: list as never },
});

describe('the size of a race', () => {
  test('attempts are cases, agents and repetitions, and each has the limits of its case or the default', () => {
    const cases = [{}, { case_timeout_seconds: 900 }];
    expect(estimateRace({ spec: specOf({}), cases }, { lanes: 3, repetitions: 2, concurrency: 4 })).toEqual({
      cases: 2,
      attempts: 12,
      calls_max: { agents: 12 * 30, users: 0, judges: 0 },
      tokens_max: null,
      cost_max_usd: null,
      seconds_max: 6 * (300 + 900),
      duration_seconds_max: (6 * 1200) / 4 + 900 * 0.75,
      unlimited: ['agent_tokens', 'agent_cost'],
    });
  });

  test('limits of the pack, the profile and the run bound tokens, cost, calls and time', () => {
    const limits = { max_total_tokens: 1_000, max_cost_usd: 0.5, max_iterations: 5, max_duration_ms: 60_000 };
    const spec = specOf({ runtime_limits: limits });
    const cases = [{ case_timeout_seconds: 900 }];
    expect(estimateRace({ spec, cases }, { lanes: 2, profile: { max_iterations: 4 } })).toMatchObject({
      calls_max: { agents: 8 },
      tokens_max: 2_000,
      cost_max_usd: 1,
      seconds_max: 120,
      duration_seconds_max: null,
      unlimited: [],
    });
    expect(estimateRace({ spec, cases }, { run: { max_cost_usd: 0.1 } }).cost_max_usd).toBe(0.1);
  });

  test('judges reply for each attempt, those that rank agents once for each case and repetition', () => {
    const ranks = { ...judge, key: 'best', mode: 'n_wise', prompt: 'Rank.' };
    const spec = (judge_limits: object) =>
      specOf({
        runtime_limits: { max_cost_usd: 1 },
        llm_judges: [judge, ranks],
        scorecard: { dimensions: ['correctness'], judge_limits },
      });
    const options = { lanes: 4, repetitions: 2 };
    const estimate = estimateRace({ spec: spec({}), cases: [{}] }, options);
    expect(estimate).toMatchObject({ calls_max: { judges: 6 * 8 + 6 * 2 }, cost_max_usd: null });
    expect(estimate.unlimited).toContain('judge_cost');
    const limited = spec({ max_samples_per_judge: 1, max_calls_usd: 0.25 });
    expect(estimateRace({ spec: limited, cases: [{}] }, options)).toMatchObject({
      calls_max: { judges: 2 * 8 + 2 * 2 },
      cost_max_usd: 8 * 1.25,
    });
  });

  test('an agent of one prompt calls its model once for each attempt', () => {
    const estimate = estimateRace({ mode: 'prompt_eval', spec: specOf({}), cases: [{}, {}] }, { lanes: 3 });
    expect(estimate.calls_max.agents).toBe(6);
  });

  test('tests add their time limit, once for each phase that they are the gate of', () => {
    const spec = specOf({ validators: [exact, tests] });
    const gated = { id: 'a', actor: 'scripted', turns: [], gate: { validator: 'tests' } };
    expect(estimateRace({ spec, cases: [{}] }).seconds_max).toBe(330);
    expect(estimateRace({ spec, cases: [phases(gated, { ...gated, id: 'b' })] }).seconds_max).toBe(360);
  });

  test('simulated users call a model at most once a turn, and waits for people have no limit', () => {
    const model = { id: 'a', actor: 'llm', max_turns: 3 };
    const estimate = (...list: object[]) =>
      estimateRace({ spec: specOf({}), cases: [phases(...list)] }, { lanes: 2 });
    expect(estimate(model)).toMatchObject({ calls_max: { users: 6 } });
    expect(estimate(model, { id: 'b', actor: 'llm' }).calls_max.users).toBe(16);
    expect(estimate({ id: 'c', actor: 'human' }).unlimited).toEqual([
      'agent_tokens',
      'agent_cost',
      'human_turns',
    ]);
  });

  test('more attempts at the same time never make the bound larger, and one at a time is the sum', () => {
    const seconds = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(seconds, fc.integer({ min: 1, max: 30 }), (list, concurrency) => {
        const cases = list.map((case_timeout_seconds) => ({ case_timeout_seconds }));
        const at = (slots: number) => estimateRace({ spec: specOf({}), cases }, { concurrency: slots });
        const { seconds_max, duration_seconds_max: one } = at(1);
        expect(one).toBe(seconds_max);
        const bound = at(concurrency).duration_seconds_max ?? 0;
        expect(bound).toBeGreaterThanOrEqual(at(concurrency + 1).duration_seconds_max ?? 0);
        expect(bound).toBeGreaterThanOrEqual(Math.max(...list));
      }),
    );
  });
});
