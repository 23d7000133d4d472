import { compareCodePoints, type Strategy } from '@agentclash/challengepack';
import type { RawValue } from '../scorecard/types.js';
import { mean } from '../statistics/sample.js';
import { type AttemptFacts, type AttemptSummary, attemptFacts } from './attempt-facts.js';
import type { CaseSummary } from './types.js';

interface CaseOptions {
  readonly strategy: Strategy;
  readonly dimensions: readonly string[];
}

/** Usable attempts folded into one summary per case, by code point of the case key. */
export function summarizeCases(attempts: readonly AttemptFacts[], options: CaseOptions): CaseSummary[] {
  const byCase = new Map<string, AttemptFacts[]>();
  for (const attempt of attempts) {
    const repetitions = byCase.get(attempt.case_key);
    if (repetitions === undefined) byCase.set(attempt.case_key, [attempt]);
    else repetitions.push(attempt);
  }
  return [...byCase.keys()]
    .sort(compareCodePoints)
    .map((caseKey) => summarize(caseKey, byCase.get(caseKey) ?? [], options));
}

function summarize(
  caseKey: string,
  repetitions: readonly AttemptFacts[],
  { strategy, dimensions }: CaseOptions,
): CaseSummary {
  const trials = repetitions.flatMap((attempt) => trialOf(attempt, strategy) ?? []);
  return {
    case_key: caseKey,
    overall: mean(repetitions.flatMap((attempt) => attempt.overall ?? [])),
    trials: trials.length,
    successes: trials.filter((trial) => trial === 1).length,
    dimensions: Object.fromEntries(
      dimensions.map((key) => [key, mean(repetitions.flatMap((attempt) => attempt.dimensions[key] ?? []))]),
    ),
    raw: Object.fromEntries(
      dimensions.flatMap((key) => {
        const raw = meanRaw(repetitions.flatMap((attempt) => attempt.raw[key] ?? []));
        return raw === null ? [] : [[key, raw]];
      }),
    ),
  };
}

/** The mean of measured values, which share their unit; null for none. */
export function meanRaw(values: readonly RawValue[]): RawValue | null {
  const value = mean(values.map((raw) => raw.value));
  return value === null ? null : { value, unit: values[0]?.unit ?? null };
}

/** 1 when the attempt passed, 0 when it failed, null when that is unknown. */
export function trialOf(attempt: AttemptFacts, strategy: Strategy): 0 | 1 | null {
  if (attempt.passed === null) return null;
  if (attempt.passed) return 1;
  return failedForWantOfEvidence(attempt, strategy) ? null : 0;
}

/** True when an attempt failed, but only because something was unavailable: it is no trial. */
export function lacksEvidence(scorecard: AttemptSummary, strategy: Strategy): boolean {
  return scorecard.passed === false && trialOf(attemptFacts('', scorecard), strategy) === null;
}

/** True when the verdict is false only because something was unavailable, nothing being below its bar. */
function failedForWantOfEvidence(attempt: AttemptFacts, strategy: Strategy): boolean {
  if (attempt.reason !== 'gate_unavailable' && attempt.reason !== 'dimension_unavailable') return false;
  // Binary and hybrid score 0 as soon as something is below; a weighted mean does not show it.
  if (strategy !== 'weighted') return attempt.overall === null;
  return !Object.values(attempt.gates).includes(false);
}
