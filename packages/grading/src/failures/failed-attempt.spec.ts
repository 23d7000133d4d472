import { readEvaluationSpec } from '@agentclash/challengepack';
import { expect, test } from '@jest/globals';
import type { JudgeResult } from '../judges/types.js';
import { composeScorecard } from '../scorecard/compose-scorecard.js';
import { classifyFailure } from './classify.js';
import { failedAttempt } from './failed-attempt.js';

const SPEC = readEvaluationSpec({
  name: 'support',
  version_number: 1,
  judge_mode: 'llm_judge',
  llm_judges: [
    { key: 'grounding', mode: 'rubric', model: 'claude-x', rubric: 'Grounded?' },
    { key: 'policy', mode: 'assertion', model: 'claude-x', assertion: 'It keeps the policy.' },
  ],
  scorecard: {
    dimensions: [
      { key: 'grounding', source: 'llm_judge', judge_key: 'grounding', gate: true, pass_threshold: 0.7 },
      { key: 'policy', source: 'llm_judge', judge_key: 'policy' },
    ],
  },
});

function judged(key: string, mode: string, score: number | null): JudgeResult {
  return {
    key,
    mode,
    state: score === null ? 'unavailable' : 'scored',
    score,
    reason: null,
    confidence: null,
    variance: null,
    model_scores: {},
    planned: 0,
    scored: 0,
    abstained: 0,
    errored: 0,
    warnings: [],
    samples: [],
  };
}

function classOf(grounding: number | null, policy: number | null): string {
  const attempt = { outcome: 'completed' } as const;
  const judges = [judged('grounding', 'rubric', grounding), judged('policy', 'assertion', policy)];
  const scorecard = composeScorecard(SPEC, { attempt, events: [], case: {} }, { validators: [], judges });
  const view = { attempt, evidence_tier: 'native_structured', flaked: false } as const;
  return classifyFailure(failedAttempt(SPEC, scorecard, view)).class;
}

test('a judge fails below the threshold of its dimension, an assertion at 0', () => {
  expect(classOf(0.6, 1)).toBe('retrieval_grounding_failure');
  expect(classOf(0.7, 0)).toBe('policy_violation');
  expect(classOf(0.7, 1)).toBe('other');
});

test('a judge without a score is not a failing judge', () => {
  expect(classOf(null, 1)).toBe('evaluation_fault');
});

test('an incident that failed the attempt is its cause, whatever else passed and however little was collected', () => {
  const attempt = { outcome: 'completed' } as const;
  const findings = {
    validators: [],
    judges: [judged('grounding', 'rubric', 1), judged('policy', 'assertion', 1)],
    security: { rules: {}, workspace_hidden: ['too_large'] },
  };
  const scorecard = composeScorecard(SPEC, { attempt, events: [], case: {} }, findings);
  for (const evidence_tier of ['native_structured', 'none'] as const) {
    const failed = failedAttempt(SPEC, scorecard, { attempt, evidence_tier, flaked: false });
    expect(classifyFailure(failed)).toMatchObject({
      class: 'policy_violation',
      code: 'agent.policy_violation',
    });
  }
});
