import { type EvaluationSpec, readEvaluationSpec } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import type { AttemptEvidence, EvidenceEvent } from '../evidence/types.js';
import { scoreAttempt } from './score-attempt.js';

const SPEC: EvaluationSpec = readEvaluationSpec({
  name: 'support',
  version_number: 1,
  judge_mode: 'deterministic',
  validators: [
    { key: 'output', type: 'exact_match', target: 'final_output', expected_from: 'literal:42' },
    {
      key: 'none',
      type: 'tool_call_assertion',
      target: 'tool_calls',
      config: { tool_name: 'exec', must_call: false },
    },
    { key: 'talk', type: 'contains', target: 'transcript.full', expected_from: 'literal:42' },
  ],
  behavioral: { signals: [{ key: 'error_cascade', weight: 1 }] },
  metrics: [
    { key: 'calls', type: 'numeric', collector: 'run_tool_call_count' },
    { key: 'failed', type: 'numeric', collector: 'run_failed_tool_call_count' },
    { key: 'failures', type: 'numeric', collector: 'run_failure_count' },
    { key: 'cascade', type: 'numeric', collector: 'behavioral_error_cascade_score' },
    { key: 'total', type: 'numeric', collector: 'run_total_latency_ms' },
    { key: 'first', type: 'numeric', collector: 'run_ttft_ms' },
  ],
  scorecard: {
    dimensions: [
      { key: 'correctness', validators: ['output'] },
      'reliability',
      'behavioral',
      { key: 'latency', normalization: { target: 1_000, max: 2_000 } },
    ],
  },
});

interface Imported {
  /** As the source states them; null: it does not. */
  output?: string | null;
  calls?: number | null;
  latencyMs?: number | null;
  /** Names of the calls that the source has. */
  trace?: readonly string[];
  outcome?: AttemptEvidence['attempt']['outcome'];
}

/** The scorecard of an attempt whose events are those of an import: all at one time. */
function scored({
  output = null,
  calls = null,
  latencyMs = null,
  trace = [],
  outcome = 'completed',
}: Imported) {
  const events = [
    ['system.run.started', {}],
    ...trace.map((tool_name) => ['tool.call.completed', { tool_name, arguments: {} }]),
    ...(output === null ? [] : [['system.output.finalized', { final_output: output }]]),
    [
      'system.run.completed',
      { outcome, tool_call_count: calls, model_call_count: null, latency_ms: latencyMs },
    ],
  ].map(
    ([event_type, payload], index): EvidenceEvent => ({
      event_type: String(event_type),
      sequence_number: index + 1,
      occurred_at: '2026-01-01T00:00:00.000Z',
      payload: payload as Record<string, unknown>,
    }),
  );
  const { dimensions, validators, metrics } = scoreAttempt(SPEC, {
    attempt: { outcome },
    case: {},
    events,
    imported: {},
  });
  return {
    dimensions: Object.fromEntries(dimensions.map(({ key, score, reason }) => [key, score ?? reason])),
    validators: Object.fromEntries(validators.map(({ key, verdict, reason }) => [key, verdict ?? reason])),
    metrics: Object.fromEntries(metrics.map(({ key, value }) => [key, value])),
  };
}

const UNKNOWN_CALLS = { calls: null, failed: null, failures: null, cascade: null };

describe('the evidence of an imported attempt', () => {
  test('nothing follows from what its source does not have', () => {
    expect(scored({})).toEqual({
      dimensions: {
        correctness: 'validator_unavailable',
        reliability: 'not_imported',
        behavioral: 'not_imported',
        latency: 'no_start_or_end',
      },
      validators: { output: 'not_collected', none: 'not_collected', talk: 'not_collected' },
      metrics: { ...UNKNOWN_CALLS, total: null, first: null },
    });
  });

  test('a number of calls without the calls themselves proves nothing about them', () => {
    const { dimensions, validators, metrics } = scored({ output: '42', calls: 7, latencyMs: 500 });
    expect(dimensions).toMatchObject({ correctness: 1, reliability: 'not_imported', latency: 1 });
    expect(validators).toMatchObject({ output: 'pass', none: 'not_collected' });
    expect(metrics).toEqual({ ...UNKNOWN_CALLS, calls: 7, total: 500, first: null });
  });

  test('calls that the source has, or states to be none, are graded', () => {
    expect(scored({ calls: 0 })).toMatchObject({
      dimensions: { reliability: 1 },
      validators: { none: 'pass' },
      metrics: { calls: 0, failed: 0 },
    });
    expect(scored({ calls: 1, trace: ['exec'] }).validators).toMatchObject({ none: 'fail' });
  });

  test('an empty output fails, and so does the missing one of an attempt that did not complete', () => {
    expect(scored({ output: '' }).validators).toMatchObject({ output: 'fail' });
    const limited = scored({ outcome: 'limit_reached' });
    expect(limited.validators).toMatchObject({ output: 'fail' });
    expect(limited.dimensions).toMatchObject({ correctness: 0, reliability: 0 });
  });
});
