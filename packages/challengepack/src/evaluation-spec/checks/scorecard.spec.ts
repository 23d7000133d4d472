import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../json.js';
import { findings, JUDGE, ofDimension, ofScorecard, QUALITY } from '../../testing/spec-findings.js';

describe('dimensions', () => {
  test('a source that cannot be inferred is missing, and an unknown one stops the checks', () => {
    expect(ofDimension('speed')).toEqual(['source required']);
    expect(ofDimension({ key: 'latency', source: 'time', gate: true })).toEqual(['source unknown_value']);
  });

  test('a dimension names the metric, judge or validators of its source', () => {
    const metric = {
      key: 'm',
      source: 'metric',
      better_direction: 'lower',
      normalization: { target: 1, max: 2 },
    };
    expect(ofDimension(metric)).toEqual(['metric required']);
    expect(ofDimension({ ...metric, metric: 'nope' })).toEqual(['metric unknown_reference']);
    expect(ofDimension({ key: 'j', source: 'llm_judge' })).toEqual(['judge_key required']);
    expect(ofDimension({ key: 'v', source: 'validators', validators: ['result', ' '] })).toEqual([
      'validators[1] required',
    ]);
  });

  test('a dimension with raw values needs bounds', () => {
    expect(ofDimension('latency')).toEqual(['normalization required']);
    expect(ofDimension({ key: 'cost', normalization: { max: 1 } })).toEqual([
      'normalization.target required',
    ]);
    expect(ofDimension({ key: 'cost', normalization: { target: 1, max: 1 } })).toEqual([
      'normalization.max out_of_range',
    ]);
    expect(ofDimension('reliability')).toEqual([]);
  });

  test('older bounds are complete, or the dimension has none', () => {
    const older = (normalization: JsonObject) =>
      ofScorecard({ dimensions: ['correctness', QUALITY, 'latency'], normalization });
    expect(older({ latency: { target_ms: 1 } })).toEqual(['dimensions[2].normalization.max required']);
    expect(older({ latency: { max_ms: 1 } })).toEqual(['dimensions[2].normalization.target required']);
    expect(older({ latency: { target_ms: '1', max_ms: 2 } })).toEqual([
      'normalization.latency.target_ms type_mismatch',
    ]);
    expect(older({ latency: { target_ms: 1, max_ms: 2 } })).toEqual([]);
  });

  test('a metric dimension declares which direction is better; other dimensions cannot choose', () => {
    const metrics = [{ key: 'tokens', type: 'numeric', collector: 'run_total_tokens' }];
    const dimension = { key: 'm', source: 'metric', metric: 'tokens', normalization: { target: 1, max: 2 } };
    expect(ofScorecard({ dimensions: ['correctness', QUALITY, dimension] }, { metrics })).toEqual([
      'dimensions[2].better_direction required',
    ]);
    expect(ofDimension({ key: 'reliability', better_direction: 'lower' })).toEqual([
      'better_direction contradiction',
    ]);
    expect(ofDimension({ key: 'reliability', better_direction: 'higher' })).toEqual([]);
  });

  test('a gate needs a threshold', () => {
    expect(ofDimension({ key: 'reliability', gate: true })).toEqual(['pass_threshold required']);
    expect(ofDimension({ key: 'reliability', gate: true, pass_threshold: 2 })).toEqual([
      'pass_threshold out_of_range',
    ]);
    expect(ofDimension({ key: 'reliability', weight: -1 })).toEqual(['weight out_of_range']);
  });
});

describe('scorecard', () => {
  test('a hybrid scorecard needs a gate', () => {
    expect(ofScorecard({ strategy: 'hybrid' })).toEqual(['strategy contradiction']);
    const gate = { key: 'reliability', gate: true, pass_threshold: 1 };
    expect(ofScorecard({ strategy: 'hybrid', dimensions: ['correctness', QUALITY, gate] })).toEqual([]);
  });

  test('a weighted scorecard without gate and threshold never passes: a warning', () => {
    expect(findings({ scorecard: { dimensions: ['correctness', QUALITY] } })).toEqual([
      'scorecard no_pass_bar',
    ]);
    expect(findings({ scorecard: { dimensions: ['correctness', QUALITY], pass_threshold: 'x' } })).toEqual([
      'scorecard.pass_threshold type_mismatch',
    ]);
  });

  test('dimensions that could not be read cause no other problem', () => {
    expect(findings({ scorecard: { dimensions: 'correctness', strategy: 'hybrid' } })).toEqual([
      'scorecard.dimensions type_mismatch',
    ]);
    expect(findings({ scorecard: { dimensions: [] } })).toEqual(['scorecard.dimensions required']);
  });

  test('validators and judges that no dimension reads are a warning', () => {
    expect(findings({ scorecard: { dimensions: [QUALITY], pass_threshold: 1 } })).toEqual([
      'validators[0].key unused_validator',
    ]);
    expect(findings({ scorecard: { dimensions: ['correctness'], pass_threshold: 1 } })).toEqual([
      'llm_judges[0].key unused_judge',
    ]);
  });

  test('a validator is not called unread where a dimension could not be read', () => {
    const of = (dimension: JsonObject) =>
      findings({ scorecard: { dimensions: [dimension], pass_threshold: 1 } });
    expect(of({ key: 'x', source: 'magic' })).toEqual(['scorecard.dimensions[0].source unknown_value']);
    expect(of({ key: 'v', source: 'validators', validators: 'result' })).toEqual([
      'scorecard.dimensions[0].validators type_mismatch',
    ]);
  });

  test('a cost cap in dollars needs a price for every judging model, except for an alias', () => {
    const capped = { judge_limits: { max_calls_usd: 1 } };
    const price = { input_cost_per_million_tokens: 1, output_cost_per_million_tokens: 1 };
    const row = { provider_key: 'anthropic', provider_model_id: 'claude-sonnet-4-5', ...price };
    expect(ofScorecard(capped)).toEqual(['judge_limits.max_calls_usd unknown_reference']);
    expect(ofScorecard(capped, { pricing: { models: [row] } })).toEqual([]);
    expect(ofScorecard(capped, { llm_judges: [{ ...JUDGE, model: 'alias:judge' }] })).toEqual([]);
    expect(ofScorecard({ judge_limits: { max_calls_usd: 0 } })).toEqual([]);
  });
});
