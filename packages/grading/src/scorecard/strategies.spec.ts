import { describe, expect, test } from '@jest/globals';
import { hybrid, type WeighedDimension } from './strategies.js';

const gate = (score: number | null, bar = 0.5): WeighedDimension => ({
  ...{ score, weight: 1, gate: true, pass_threshold: bar },
});
const soft = (score: number | null): WeighedDimension => ({
  ...{ score, weight: 1, gate: false, pass_threshold: null },
});

describe('a hybrid scorecard whose only dimension is the gate', () => {
  test('is scored by it, and passes where the gate holds', () => {
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

  test('fails by the threshold where the gate holds by its own bar alone, and by the gate where it does not', () => {
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

  test('does not weigh the gate beside another dimension, and has no evidence where that is unavailable', () => {
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
