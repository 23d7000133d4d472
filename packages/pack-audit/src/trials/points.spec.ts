import type { Scorecard } from '@agentclash/grading';
import { describe, expect, test } from '@jest/globals';
import { gainOver, type Points, pointsOf } from './points.js';

type Dimension = Scorecard['dimensions'][number];

const dimension = (key: string, changes: Partial<Dimension> = {}): Dimension => ({
  ...{ key, source: 'validators', state: 'available', score: 1, reason: null, raw: null },
  ...{ weight: 1, gate: false, pass_threshold: 1, gate_passed: null, contribution: null },
  ...changes,
});

const card = (passed: boolean | null, ...dimensions: Dimension[]): Scorecard => ({
  ...{
    overall: null,
    passed,
    reason: 'threshold_met',
    strategy: 'binary',
    validity: 'valid',
    status: 'complete',
  },
  ...{ validators: [], metrics: [], judges: [], warnings: [], cost_per_correct_usd: null },
  dimensions,
});

const points = (dimensions: Record<string, number>): Points => ({
  passed: false,
  lacksJudges: false,
  overall: null,
  dimensions,
  validators: {},
});

describe('the points of an attempt', () => {
  test('time, cost and conduct are no points', () => {
    const scored = card(true, dimension('tests'), dimension('speed', { source: 'latency' }));
    expect(pointsOf(scored)).toEqual({
      ...{ passed: true, lacksJudges: false, overall: null },
      ...{ dimensions: { tests: 1 }, validators: {} },
    });
  });

  test('an attempt that breaks a security rule has no score overall', () => {
    const scored = { ...card(true, dimension('tests')), overall: 1 };
    expect(pointsOf(scored).overall).toBe(1);
    expect(pointsOf({ ...scored, security: { passed: false, incidents: [] } }).overall).toBe(0);
  });

  test('an attempt whose judge is missing passes by the dimensions that remain', () => {
    const judged = dimension('tone', { source: 'llm_judge', state: 'unavailable', score: null });
    expect(pointsOf(card(null, dimension('tests'), judged)).passed).toBe(true);
    expect(pointsOf(card(null, dimension('tests', { score: 0.5 }), judged)).passed).toBe(false);
    expect(pointsOf(card(null, judged)).passed).toBeNull();
  });

  test('an attempt without the evidence of a validator has no verdict', () => {
    const unavailable = dimension('tests', { state: 'unavailable', score: null });
    expect(pointsOf(card(null, unavailable, dimension('tidy'))).passed).toBeNull();
  });
});

describe('the gain of an attempt', () => {
  test('points that every agent without work has are no gain', () => {
    const others = [points({ tests: 0, tidy: 1 }), points({ tests: 0.25, tidy: 0 })];
    expect(gainOver(points({ tests: 0.25, tidy: 1 }), others).dimensions).toEqual([]);
    expect(gainOver(points({ tests: 0.5, tidy: 1 }), others).dimensions).toEqual(['tests']);
  });

  test('a dimension that others do not have counts from 0', () => {
    expect(gainOver(points({ tests: 0.1 }), [points({})]).dimensions).toEqual(['tests']);
  });
});
