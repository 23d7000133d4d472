import type { Judge, JudgeLimits } from '@agentclash/challengepack';
import type { AttemptEvidence } from '../evidence/types.js';
import { aggregateSamples, type ModelScores } from './aggregate-samples.js';
import { judgeInput } from './input.js';
import { orderFlips } from './n-wise.js';
import { plannedSamples } from './plan.js';
import type { JudgeRecord, JudgeResult, JudgeSample } from './types.js';

export interface JudgingOptions {
  readonly limits: JudgeLimits;
  readonly evidence: AttemptEvidence;
  /** The records of judges about the attempt, at most one per judge. */
  readonly records: readonly JudgeRecord[];
}

/** The result of every judge of the spec about the attempt, in spec order. */
export function judgeResults(judges: readonly Judge[], options: JudgingOptions): JudgeResult[] {
  return judges.map((judge) => {
    const record = options.records.find(({ judge_key }) => judge_key === judge.key);
    return judgeResult(judge, record, options);
  });
}

function judgeResult(
  judge: Judge,
  record: JudgeRecord | undefined,
  { limits, evidence }: JudgingOptions,
): JudgeResult {
  const samples = record?.samples ?? [];
  const planned = judge.models.map((model) => ({ model, samples: plannedSamples(judge, limits) }));
  const result: JudgeResult = {
    key: judge.key,
    mode: judge.mode,
    state: 'unavailable',
    score: null,
    reason: null,
    confidence: null,
    variance: null,
    model_scores: {},
    planned: planned.reduce((total, model) => total + model.samples, 0),
    scored: countOf(samples, 'scored'),
    abstained: countOf(samples, 'abstained'),
    errored: countOf(samples, 'error'),
    warnings: [],
    samples,
  };
  const input = judgeInput(judge, evidence);
  if (input.state !== 'unavailable' && record?.unavailable !== undefined) {
    return { ...result, reason: record.unavailable };
  }
  if (input.state !== 'ready') {
    return { ...result, ...input, score: input.state === 'scored' ? input.score : null };
  }
  const models = planned.map((model) => scoresOf(model, samples));
  const { warnings, ...aggregate } = aggregateSamples(judge, models);
  const sensitive = orderFlips(samples).flipped > 0 ? ['position_sensitive'] : [];
  return { ...result, ...aggregate, warnings: [...warnings, ...sensitive] };
}

/** A sample that was planned but never recorded has no score. */
function scoresOf(
  { model, samples: planned }: { readonly model: string; readonly samples: number },
  samples: readonly JudgeSample[],
): ModelScores {
  const scores = samples.filter((sample) => sample.model === model).map(({ score }) => score);
  const absent = Array.from({ length: Math.max(0, planned - scores.length) }, () => null);
  return { model, scores: [...scores, ...absent] };
}

function countOf(samples: readonly JudgeSample[], state: JudgeSample['state']): number {
  return samples.filter((sample) => sample.state === state).length;
}
