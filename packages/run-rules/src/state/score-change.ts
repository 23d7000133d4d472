import type { AttemptScored } from '@agentclash/contracts';
import type { CountChange } from './progress.js';

export interface AttemptScore {
  revision: number | null;
  overall: number | null;
  passed: boolean | null;
  validity: string | null;
}

/** The change of an agent's counts by a new scorecard of an attempt; none when the attempt has it already. */
export function scoreChange(
  before: AttemptScore,
  scored: Pick<AttemptScored, 'revision' | 'overall' | 'passed' | 'validity'>,
): CountChange | undefined {
  if (before.revision !== null && before.revision >= scored.revision) return undefined;
  const was = before.revision === null ? NOTHING : figures(before);
  const is = figures(scored);
  return {
    scored: before.revision === null ? 1 : 0,
    passed: is.passed - was.passed,
    usable: is.usable - was.usable,
    judged: is.judged - was.judged,
    graded: is.graded - was.graded,
    overallSum: is.overall - was.overall,
  };
}

/** The counts that an attempt with this score takes out of its agent's when it is run again. */
export function scoreWithdrawn({ revision, ...score }: AttemptScore): CountChange {
  if (revision === null) return {};
  const was = figures(score);
  return {
    scored: -1,
    passed: -was.passed,
    usable: -was.usable,
    judged: -was.judged,
    graded: -was.graded,
    overallSum: -was.overall,
  };
}

const NOTHING = { passed: 0, usable: 0, judged: 0, graded: 0, overall: 0 };

function figures({ overall, passed, validity }: Omit<AttemptScore, 'revision'>) {
  return {
    passed: passed === true ? 1 : 0,
    usable: validity === null || validity === 'invalid' ? 0 : 1,
    judged: passed === null ? 0 : 1,
    graded: overall === null ? 0 : 1,
    overall: overall ?? 0,
  };
}
