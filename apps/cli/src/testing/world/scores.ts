import { idOf } from './known.js';

/** What a scorecard says: one gate that was not passed, one figure that was. */
export const CARD = {
  ...{ strategy: 'hybrid', overall: 0.25, passed: false, reason: 'gate_failed', validity: 'valid' },
  status: 'complete',
  dimensions: [
    {
      ...{ key: 'correctness', source: 'validators', state: 'available', score: 0, reason: null, raw: null },
      ...{ weight: 0.75, gate: true, pass_threshold: 0.9, gate_passed: false, contribution: 0 },
    },
    {
      ...{ key: 'latency', source: 'latency', state: 'available', score: 1, reason: null },
      ...{ raw: { value: 1_500, unit: 'ms' }, weight: 0.25, gate: false, pass_threshold: null },
      ...{ gate_passed: null, contribution: 0.25 },
    },
  ],
  validators: [
    {
      ...{ key: 'right', type: 'numeric_match', state: 'scored', verdict: 'fail', score: 0 },
      ...{
        reason: 'unparsable_output',
        outcome: 'agent_fail',
        evidence: { from_sequence: 4, to_sequence: 4 },
        compared: { expected: { text: '6' }, actual: { text: 'six' } },
      },
    },
  ],
  metrics: [],
  judges: [],
  warnings: [],
  cost_per_correct_usd: null,
};

const figures = (mean: number, low: number, high: number) => ({
  mean,
  ci: [low, high],
  interval: [low, high],
});

export const RANKING = {
  state: 'ready' as const,
  revision: 1,
  evaluation_spec_id: idOf(24),
  items: [
    {
      ...{ run_agent_id: idOf(71), name: 'solver', rank: 1, reason: 'passed', overall: 1, passed: true },
      ...{ validity: 'valid', overall_estimate: figures(1, 0.158, 1), pass_rate: figures(1, 0.158, 1) },
      ...{ dimensions: { correctness: figures(1, 0.158, 1), latency: figures(1, 0.158, 1) } },
      ...{ planned_attempts: 2, usable_attempts: 2, flake_rate: null },
    },
    {
      ...{ run_agent_id: idOf(72), name: 'idle', rank: 2, reason: 'overall', overall: 0.25, passed: false },
      ...{
        validity: 'degraded',
        overall_estimate: figures(0.25, 0.006, 0.981),
        pass_rate: figures(0, 0, 0.975),
      },
      ...{ dimensions: { correctness: figures(0, 0, 0.975), latency: figures(1, 0.025, 1) } },
      ...{ planned_attempts: 2, usable_attempts: 1, flake_rate: null, verdict_reason: 'gate_failed' },
      gates: { correctness: false },
    },
  ],
};
