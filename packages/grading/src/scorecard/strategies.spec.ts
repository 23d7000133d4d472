import { describe, expect, test } from '@jest/globals';
import { hybrid, type WeighedDimension } from './strategies.js';

const gate = (score: number | null, bar = 0.5): WeighedDimension => ({
  ...{ score, weight: 1, gate: true, pass_threshold: bar },
});
const soft = (score: number | null): WeighedDimension => ({
  ...{ score, weight: 1, gate: false, pass_threshold: null },
});

describe('a hybrid scorecard whose only dimension is the gate', () => {
  test('a hybrid scorecard of a gate alone is scored by the gate, and passes where the gate passes', () => {
    expect(hybrid({ dimensions: [gate(1)], pass_threshold: 0.8 })).toEqual({
      overall: 1,
      passed: true,
      reason: 'threshold_met',
      contributions: [1],
    });
    expect(hybrid({ dimensions: [gate(0.6)], pass_threshold: undefined })).toMatchObject({
      overall: 0.6,
      passed: true,
      reason: 'gates_hold',
    });
  });

  test('a hybrid scorecard fails by the threshold where the gate passes, and by the gate where it fails', () => {
    expect(hybrid({ dimensions: [gate(0.6)], pass_threshold: 0.8 })).toMatchObject({
      overall: 0.6,
      passed: false,
      reason: 'below_threshold',
    });
    expect(hybrid({ dimensions: [gate(0.2)], pass_threshold: 0.1 })).toMatchObject({
      overall: 0,
      passed: false,
      reason: 'gate_failed',
    });
    expect(hybrid({ dimensions: [gate(null)], pass_threshold: 0.1 })).toMatchObject({
      overall: null,
      passed: false,
      reason: 'gate_unavailable',
    });
  });

  test('a gate has no weight beside another dimension, and an unavailable other dimension leaves no evidence', () => {
    expect(hybrid({ dimensions: [gate(1), soft(0.5)], pass_threshold: 0.6 })).toMatchObject({
      overall: 0.5,
      reason: 'below_threshold',
    });
    expect(hybrid({ dimensions: [gate(1), soft(null)], pass_threshold: 0.6 })).toMatchObject({
      overall: null,
      passed: false,
      reason: 'no_evidence',
    });
  });
});
