import type { AttemptScored } from '@agentclash/contracts';
import type { CountChange } from '../runs/progress.js';

export interface AttemptScore {
  revision: number | null;
  overall: number | null;
  passed: boolean | null;
}

/** What a new scorecard of an attempt changes in its agent's counts; nothing when the attempt has it already. */
export function scoreChange(
  before: AttemptScore,
  scored: Pick<AttemptScored, 'revision' | 'overall' | 'passed'>,
): CountChange | undefined {
  if (before.revision !== null && before.revision >= scored.revision) return undefined;
  const was = figures(before);
  const is = figures(scored);
  return {
    scored: before.revision === null ? 1 : 0,
    passed: is.passed - was.passed,
    judged: is.judged - was.judged,
    graded: is.graded - was.graded,
    overallSum: is.overall - was.overall,
  };
}

/** What an attempt that has this score and is run again takes out of its agent's counts. */
export function scoreTakenBack({ revision, ...score }: AttemptScore): CountChange {
  if (revision === null) return {};
  const was = figures(score);
  return {
    scored: -1,
    passed: -was.passed,
    judged: -was.judged,
    graded: -was.graded,
    overallSum: -was.overall,
  };
}

function figures({ overall, passed }: Pick<AttemptScore, 'overall' | 'passed'>) {
  return {
    passed: passed === true ? 1 : 0,
    judged: passed === null ? 0 : 1,
    graded: overall === null ? 0 : 1,
    overall: overall ?? 0,
  };
}
