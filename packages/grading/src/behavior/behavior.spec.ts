import { describe, expect, test } from '@jest/globals';
import type { FinishedToolCall } from '../evidence/tool-trace.js';
import { behavioralPanel } from './panel.js';
import type { BehaviorEvidence } from './signals.js';

const FAILED: FinishedToolCall = {
  sequence_number: 1,
  tool_name: 'search',
  arguments: { q: 1 },
  failed: true,
  failure_origin: 'policy',
};

function evidence(given: Partial<BehaviorEvidence>): BehaviorEvidence {
  return { calls: [], mismatches: [], validators: [], ...given };
}

describe('the behavioural panel', () => {
  test('an agent that called nothing misbehaved in nothing', () => {
    const signals = [
      { key: 'recovery_behavior', weight: 1, gate: false },
      { key: 'exploration_efficiency', weight: 1, gate: false },
      { key: 'error_cascade', weight: 1, gate: false },
      { key: 'scope_adherence', weight: 1, gate: true, pass_threshold: 1 },
    ] as const;
    expect(behavioralPanel({ signals: [...signals] }, evidence({}))).toMatchObject({
      score: 1,
      reason: null,
    });
  });

  test('a gate below its threshold sets the panel to 0', () => {
    const signals = [
      { key: 'exploration_efficiency', weight: 9, gate: false },
      { key: 'scope_adherence', weight: 1, gate: true, pass_threshold: 0.5 },
    ] as const;
    const panel = behavioralPanel({ signals: [...signals] }, evidence({ calls: [FAILED] }));
    expect(panel).toEqual({ state: 'available', score: 0, reason: 'signal_gate_failed' });
  });

  test('a low signal that is no gate only changes the weighted score', () => {
    const signals = [
      { key: 'exploration_efficiency', weight: 3, gate: false },
      { key: 'scope_adherence', weight: 1, gate: false, pass_threshold: 0.5 },
    ] as const;
    expect(behavioralPanel({ signals: [...signals] }, evidence({ calls: [FAILED] })).score).toBe(0.75);
  });

  test('an unknown signal leaves the panel unknown', () => {
    const conversation = evidence({
      mismatches: [true],
      validators: [{ state: 'unavailable', verdict: null }],
    });
    const signals = [
      { key: 'recovery_behavior', weight: 1, gate: false },
      { key: 'error_cascade', weight: 1, gate: false },
    ] as const;
    expect(behavioralPanel({ signals: [...signals] }, conversation)).toEqual({
      state: 'unavailable',
      score: null,
      reason: 'signal_unavailable',
    });
  });
});
