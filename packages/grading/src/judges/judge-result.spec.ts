import type { Judge } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import type { AttemptEvidence, EvidenceEvent } from '../evidence/types.js';
import { judgeAgreement, ratedUnit } from './agreement.js';
import { judgeInput } from './input.js';
import { judgeResults } from './judge-result.js';
import { nWiseField } from './plan.js';
import type { JudgeRecord, JudgeSample } from './types.js';

const JUDGE: Judge = {
  key: 'tone',
  mode: 'rubric',
  models: ['m'],
  samples: 2,
  temperature: 0,
  context_from: ['final_output'],
  rubric: 'Courteous?',
  expect: true,
  score_scale: { min: 1, max: 5 },
  position_debiasing: true,
  anti_gaming_clauses: [],
  timeout_ms: 60_000,
};
const LIMITS = { max_samples_per_judge: 0, max_calls_usd: 0, max_tokens: 0 };

function evidence(output: string | null, changes: Partial<AttemptEvidence> = {}): AttemptEvidence {
  const finalized: EvidenceEvent = {
    sequence_number: 1,
    event_type: 'system.output.finalized',
    occurred_at: '2026-01-01T00:00:00.000Z',
    payload: { final_output: output },
  };
  return {
    attempt: { outcome: 'completed' },
    events: output === null ? [] : [finalized],
    case: {},
    ...changes,
  };
}

function sample(index: number, changes: Partial<JudgeSample> = {}): JudgeSample {
  return {
    model: 'm',
    index,
    order: null,
    ranking: null,
    prompt_hash: '',
    reply: '',
    state: 'scored',
    reason: null,
    score: 0.5,
    usage: null,
    cost_usd: null,
    tries: 1,
    cached: false,
    ...changes,
  };
}

function resultOf(judge: Judge, attempt: AttemptEvidence, record?: Partial<JudgeRecord>) {
  const records = record ? [{ judge_key: judge.key, samples: [], ...record }] : [];
  const [result] = judgeResults([judge], { limits: LIMITS, evidence: attempt, records });
  return result;
}

describe('a judge without an input', () => {
  test.each([null, ''])(
    'a judge scores 0 when the agent left %j, even where the assertion expects a no',
    (output) => {
      const judge: Judge = { ...JUDGE, mode: 'assertion', assertion: 'It lies.', expect: false };
      expect(resultOf(judge, evidence(output))).toMatchObject({
        state: 'scored',
        score: 0,
        reason: 'missing_output',
        scored: 0,
      });
    },
  );

  test('a judge is in error when the pack lacks its text', () => {
    const judge = { ...JUDGE, context_from: ['final_output', 'case.expectations.gold'] };
    expect(resultOf(judge, evidence(null))).toMatchObject({ state: 'error', score: null });
  });

  test.each(['infra_error', 'provider_error', 'cancelled'] as const)(
    'a judge is unavailable after the outcome %s',
    (outcome) => {
      expect(resultOf(JUDGE, evidence('hello', { attempt: { outcome } }))).toMatchObject({
        state: 'unavailable',
        reason: 'attempt_not_graded',
      });
    },
  );

  test('a judge is unavailable when its file was never captured', () => {
    expect(resultOf({ ...JUDGE, context_from: ['file:report'] }, evidence('hello'))).toMatchObject({
      state: 'unavailable',
      reason: 'not_collected',
    });
  });

  test('a judge reads an empty transcript when its mismatch did not occur', () => {
    const turn: EvidenceEvent = {
      sequence_number: 2,
      event_type: 'turn.assistant.message',
      occurred_at: '2026-01-01T00:00:00.000Z',
      payload: { turn_index: 0, message: 'hello' },
    };
    const judge = { ...JUDGE, context_from: ['transcript.from_mismatch'] };
    expect(judgeInput(judge, evidence('hello', { events: [turn] }))).toMatchObject({
      state: 'ready',
      own: [{ reference: 'transcript.from_mismatch', text: '' }],
    });
  });

  test('a judge is unavailable when there were too few agents to rank', () => {
    const judge: Judge = { ...JUDGE, mode: 'n_wise', prompt: 'Best?' };
    expect(resultOf(judge, evidence('hello'), { unavailable: 'too_few_agents' })).toMatchObject({
      state: 'unavailable',
      reason: 'too_few_agents',
    });
  });
});

describe('a judge with records', () => {
  test('a missing planned sample lowers the confidence', () => {
    const whole = resultOf(JUDGE, evidence('hello'), { samples: [sample(0), sample(1)] });
    expect(whole).toMatchObject({ score: 0.5, confidence: 'single_model', planned: 2, scored: 2 });
    const half = resultOf(JUDGE, evidence('hello'), { samples: [sample(0)] });
    expect(half).toMatchObject({ score: 0.5, confidence: 'low', planned: 2, scored: 1 });
  });

  test('failed and abstained samples are counted and never scored', () => {
    const samples = [
      sample(0, { state: 'error', reason: 'unparsable', score: null }),
      sample(1, { state: 'abstained', score: null }),
    ];
    expect(resultOf(JUDGE, evidence('hello'), { samples })).toMatchObject({
      state: 'unavailable',
      reason: 'no_scored_sample',
      abstained: 1,
      errored: 1,
    });
  });

  test('opposite orders with different winners are flagged', () => {
    const judge: Judge = { ...JUDGE, mode: 'n_wise', prompt: 'Best?' };
    const ranked = (index: number, ranking: string[]) => sample(index, { ranking, order: ranking });
    const sensitive = [ranked(0, ['a', 'b']), ranked(1, ['b', 'a'])];
    expect(resultOf(judge, evidence('hello'), { samples: sensitive })?.warnings).toEqual([
      'position_sensitive',
    ]);
    const steady = [ranked(0, ['a', 'b']), ranked(1, ['a', 'b']), ranked(2, ['b', 'a'])];
    expect(resultOf(judge, evidence('hello'), { samples: steady })?.warnings).toEqual([]);
  });

  test('the limit on samples reduces the planned samples', () => {
    const [result] = judgeResults([JUDGE], {
      limits: { ...LIMITS, max_samples_per_judge: 1 },
      evidence: evidence('hello'),
      records: [{ judge_key: 'tone', samples: [sample(0)] }],
    });
    expect(result).toMatchObject({ planned: 1, confidence: 'single_model' });
  });

  test('models that disagree are flagged where the author enabled it', () => {
    const consensus = {
      aggregation: 'mean',
      min_agreement_threshold: 0.25,
      flag_on_disagreement: true,
    } as const;
    const judge: Judge = { ...JUDGE, models: ['m', 'n'], samples: 1, consensus };
    const samples = [sample(0, { score: 0 }), sample(0, { model: 'n', score: 1 })];
    expect(resultOf(judge, evidence('hello'), { samples })).toMatchObject({
      score: 0.5,
      confidence: 'low',
      warnings: ['disagreement'],
    });
    const quiet = { ...judge, consensus: { ...consensus, flag_on_disagreement: false } };
    expect(resultOf(quiet, evidence('hello'), { samples })?.warnings).toEqual([]);
  });

  test('the agreement over a run rates a single model by its samples', () => {
    const results = [0, 1, 0].flatMap((score) => {
      const samples = [sample(0, { score }), sample(1, { score })];
      return resultOf(JUDGE, evidence('hello'), { samples }) ?? [];
    });
    expect(judgeAgreement('rubric', results.map(ratedUnit))).toBe(1);
  });
});

test('ungraded agents leave the ranking, and agents without output stay in it, unseen', () => {
  const agents = [
    { id: 'a', evidence: evidence('one') },
    { id: 'b', evidence: evidence(null) },
    { id: 'c', evidence: evidence('three', { attempt: { outcome: 'infra_error' } }) },
  ];
  expect(nWiseField(JUDGE, agents)).toEqual({ size: 2, shown: ['a'] });
});
