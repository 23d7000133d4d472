import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../json.js';
import { compactEvaluationSpec, readEvaluationSpec } from './read-evaluation-spec.js';

const BASE: JsonObject = {
  name: 'spec',
  version_number: 1,
  judge_mode: 'deterministic',
  scorecard: { dimensions: ['correctness'] },
};

function validatorOf(validator: JsonObject) {
  return readEvaluationSpec({ ...BASE, validators: [{ key: 'v', target: 'final_output', ...validator }] })
    .validators[0]?.config;
}

function dimensionsOf(scorecard: JsonObject, more: JsonObject = {}) {
  return readEvaluationSpec({ ...BASE, scorecard, ...more }).scorecard.dimensions;
}

describe('reading an evaluation spec', () => {
  test('an absent field gets its default', () => {
    expect(readEvaluationSpec(BASE)).toEqual({
      name: 'spec',
      version_number: 1,
      judge_mode: 'deterministic',
      validators: [],
      metrics: [],
      llm_judges: [],
      post_execution_checks: [],
      runtime_limits: {},
      pricing: { models: [] },
      scorecard: {
        strategy: 'weighted',
        judge_limits: { max_samples_per_judge: 0, max_calls_usd: 0, max_tokens: 0 },
        dimensions: [
          {
            key: 'correctness',
            source: 'validators',
            validators: [],
            better_direction: 'higher',
            weight: 1,
            gate: false,
          },
        ],
      },
    });
  });

  test('a judge takes three samples of the final output by default', () => {
    const judge = {
      key: 'j',
      mode: 'rubric',
      model: 'gpt-5',
      rubric: ' Be strict. ',
      samples: 0,
      score_scale: { max: 10 },
    };
    expect(readEvaluationSpec({ ...BASE, llm_judges: [judge] }).llm_judges).toEqual([
      {
        key: 'j',
        mode: 'rubric',
        models: ['gpt-5'],
        rubric: ' Be strict. ',
        samples: 3,
        temperature: 0,
        context_from: ['final_output'],
        expect: true,
        score_scale: { min: 1, max: 10 },
        position_debiasing: true,
        anti_gaming_clauses: [],
        timeout_ms: 60_000,
      },
    ]);
  });

  test('a capture of size 0 keeps 1 MiB', () => {
    const checks = [{ key: 'f', type: 'file_capture', path: 'out.txt' }];
    expect(readEvaluationSpec({ ...BASE, post_execution_checks: checks }).post_execution_checks).toEqual([
      { key: 'f', type: 'file_capture', path: 'out.txt', recursive: true, max_size_bytes: 1_048_576 },
    ]);
  });

  test('both names of the normalisation pipeline mean the same', () => {
    const type = 'normalized_match';
    expect(validatorOf({ type })).toEqual({ pipeline: ['trim', 'lowercase', 'collapse_whitespace'] });
    expect(validatorOf({ type, config: { pipeline: ['trim'] } })).toEqual({ pipeline: ['trim'] });
    expect(validatorOf({ type, config: { normalizations: ['trim'] } })).toEqual({ pipeline: ['trim'] });
    expect(validatorOf({ type, config: { pipeline: [] } })).toEqual({ pipeline: [] });
  });

  test('the older tolerance is by default relative and a thousandth', () => {
    const type = 'numeric_match';
    expect(validatorOf({ type })).toEqual({ extract_number: false, answer_delimiter: '####' });
    expect(validatorOf({ type, config: { tolerance_mode: 'relative' } })).toMatchObject({
      relative_tolerance: 0.001,
    });
    expect(validatorOf({ type, config: { tolerance: 2 } })).toMatchObject({ relative_tolerance: 2 });
    expect(validatorOf({ type, config: { tolerance_mode: 'absolute', tolerance: 2 } })).toEqual({
      extract_number: false,
      answer_delimiter: '####',
      absolute_tolerance: 2,
    });
  });

  test('a written minimum of 0 differs from an absent one', () => {
    const type = 'length_range';
    expect(validatorOf({ type, config: { min: 0 } })).toEqual({ unit: 'characters', min: 0 });
    expect(validatorOf({ type, config: { max: 2 } })).toEqual({ unit: 'characters', max: 2 });
  });

  test('a step of a trajectory may be the name of a tool', () => {
    const config = { expected: ['search', { tool_name: 'fetch', arguments: { id: 1 } }] };
    expect(validatorOf({ type: 'trajectory_match', target: 'tool_calls', config })).toEqual({
      mode: 'strict',
      arguments: 'ignore',
      include_failed: false,
      expected: [{ tool_name: 'search' }, { tool_name: 'fetch', arguments: { id: 1 } }],
    });
  });

  test('the text a postcondition compares with is its source text', () => {
    const config = { condition: 'contains', value: 42 };
    expect(validatorOf({ type: 'postcondition', target: 'file:f', config })).toEqual({
      condition: 'contains',
      value: '42',
    });
  });

  test('white space that separates is kept', () => {
    expect(validatorOf({ type: 'csv_match', config: { delimiter: '\t' } })).toMatchObject({
      delimiter: '\t',
    });
    expect(validatorOf({ type: 'list_match', config: { separator: ' ' } })).toMatchObject({ separator: ' ' });
  });

  test('a dimension inferred from its key takes the older bounds, with a limit of the run as the maximum', () => {
    const normalization = { latency: { target_ms: 100 }, cost: { target_usd: 0.1, max_usd: 2 } };
    const limits = { runtime_limits: { max_duration_ms: 5000, max_cost_usd: 9 } };
    const [latency, cost] = dimensionsOf({ dimensions: ['latency', 'cost'], normalization }, limits);
    expect(latency).toMatchObject({ better_direction: 'lower', normalization: { target: 100, max: 5000 } });
    expect(cost).toMatchObject({ better_direction: 'lower', normalization: { target: 0.1, max: 2 } });
  });

  test('bounds of a dimension take precedence over the older ones', () => {
    const own = { target: 1, max: 2 };
    const normalization = { latency: { target_ms: 100, max_ms: 200 } };
    const [latency] = dimensionsOf({ dimensions: [{ key: 'latency', normalization: own }], normalization });
    expect(latency?.normalization).toEqual(own);
  });

  test('an invalid evaluation spec is refused with its problems', () => {
    expect(() => readEvaluationSpec({ ...BASE, name: null })).toThrow('name: type_mismatch');
    expect(() => readEvaluationSpec([])).toThrow('the document: type_mismatch');
  });
});

describe('the compact form', () => {
  test('the compact form omits spelled-out defaults', () => {
    const spelledOut = {
      ...BASE,
      validators: [
        {
          key: 'v',
          type: 'fuzzy_match',
          target: ' final_output ',
          expected_from: 'literal:x',
          config: { threshold: 0.8 },
        },
      ],
      metrics: [],
      runtime_limits: {},
      llm_judges: [
        {
          key: 'j',
          mode: 'rubric',
          model: 'gpt-5',
          rubric: 'r',
          samples: 0,
          context_from: ['final_output'],
          score_scale: { min: 1, max: 5 },
        },
      ],
      scorecard: {
        dimensions: [
          'correctness',
          {
            key: 'latency',
            source: 'latency',
            better_direction: 'lower',
            normalization: { target: 1, max: 2 },
          },
        ],
        strategy: 'weighted',
        judge_limits: { max_tokens: 0 },
      },
    };
    expect(compactEvaluationSpec(spelledOut)).toEqual({
      name: 'spec',
      version_number: 1,
      judge_mode: 'deterministic',
      validators: [{ key: 'v', type: 'fuzzy_match', target: 'final_output', expected_from: 'literal:x' }],
      llm_judges: [{ key: 'j', mode: 'rubric', model: 'gpt-5', rubric: 'r' }],
      scorecard: {
        dimensions: [
          { key: 'correctness', source: 'validators' },
          { key: 'latency', source: 'latency', normalization: { target: 1, max: 2 } },
        ],
      },
    });
  });

  test('the compact form keeps the direction of a metric and an empty trajectory', () => {
    const spec = {
      ...BASE,
      validators: [{ key: 't', type: 'trajectory_match', target: 'tool_calls', config: { expected: [] } }],
      scorecard: {
        dimensions: [
          {
            key: 'm',
            source: 'metric',
            metric: 'x',
            better_direction: 'higher',
            normalization: { target: 2, max: 1 },
          },
        ],
      },
    };
    expect(compactEvaluationSpec(spec)).toEqual(spec);
  });
});
