import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../json.js';
import {
  CHECKS,
  findings,
  JUDGE,
  ofScorecard,
  ofValidator,
  QUALITY,
  relative,
  SUBMISSION,
} from '../../testing/spec-findings.js';

describe('keys', () => {
  test('validators, metrics and judges share one name space', () => {
    const metrics = [{ key: 'result', type: 'numeric', collector: 'run_total_tokens' }];
    expect(findings({ metrics })).toEqual(['metrics[0].key not_unique']);
  });

  test('checks, dimensions and signals each have a name space of their own', () => {
    expect(findings({ post_execution_checks: [...CHECKS, CHECKS[0] ?? null] })).toEqual([
      'post_execution_checks[2].key not_unique',
    ]);
    expect(ofScorecard({ dimensions: ['correctness', QUALITY, 'correctness'] })).toEqual([
      'dimensions[2].key not_unique',
    ]);
    const signal = { key: 'error_cascade', weight: 1 };
    expect(findings({ behavioral: { signals: [signal, signal] } })).toEqual([
      'behavioral.signals[1].key not_unique',
    ]);
  });

  test('a repeated key is not also unused', () => {
    expect(findings({ llm_judges: [JUDGE, JUDGE] })).toEqual(['llm_judges[1].key not_unique']);
  });

  test('a key has at most 128 characters', () => {
    expect(ofValidator({ ...SUBMISSION, key: 'k'.repeat(129) })).toEqual(['key too_long']);
    expect(ofValidator({ ...SUBMISSION, key: '🦀'.repeat(128) })).toEqual([]);
  });
});

describe('metrics, behaviour, prices', () => {
  test('a metric has the type of its collector', () => {
    const of = (metric: JsonObject) =>
      relative(findings({ metrics: [{ key: 'm', ...metric }] }), 'metrics[0].');
    expect(of({ type: 'boolean', collector: 'run_completed_successfully' })).toEqual([]);
    expect(of({ type: 'text', collector: 'run_total_tokens' })).toEqual(['type contradiction']);
    expect(of({ collector: 'run_tokens' })).toEqual(['collector unknown_value', 'type required']);
  });

  test('a signal has a positive weight, its gate a threshold', () => {
    const of = (signal: JsonObject) =>
      relative(findings({ behavioral: { signals: [signal] } }), 'behavioral.signals[0].');
    expect(of({ key: 'error_cascade', weight: 0 })).toEqual(['weight out_of_range']);
    expect(of({ key: 'error_cascade', weight: 1, gate: true })).toEqual(['pass_threshold required']);
    expect(of({ key: 'confidence_calibration', weight: 1 })).toEqual(['key unknown_value']);
    expect(findings({ behavioral: {} })).toEqual(['behavioral.signals required']);
  });

  test('gemini and google are one provider', () => {
    const price = { input_cost_per_million_tokens: 1, output_cost_per_million_tokens: 1 };
    const rows = ['google', 'gemini'].map((provider_key) => ({
      provider_key,
      provider_model_id: 'gemini-pro',
      ...price,
    }));
    expect(findings({ pricing: { models: rows } })).toEqual([
      'pricing.models[1].provider_model_id not_unique',
    ]);
  });

  test('the limits of a run are above 0', () => {
    expect(
      findings({ runtime_limits: { max_iterations: 1001, max_cost_usd: 0, max_duration_ms: 0.5 } }),
    ).toEqual([
      'runtime_limits.max_cost_usd out_of_range',
      'runtime_limits.max_duration_ms type_mismatch',
      'runtime_limits.max_iterations out_of_range',
    ]);
  });
});
