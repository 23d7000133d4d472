import { isGraded } from '@agentclash/domain';
import type { Paint } from '../terminal/output.js';

interface Graded {
  outcome?: string | null | undefined;
  passed: boolean | null;
  /** Of the scorecard: an invalid one has no verdict and no score. */
  validity?: string | null | undefined;
}

/** `passed`, `failed`, `not graded` for an attempt that was cut short, `no verdict` for one that was not judged. */
export function attemptVerdict(attempt: Graded): string {
  return hasVerdict(attempt) ? verdictWord(attempt.passed) : 'not graded';
}

export function attemptVerdictColor(attempt: Graded, paint: Paint): (text: string) => string {
  return hasVerdict(attempt) ? verdictColor(attempt.passed, paint) : paint.yellow;
}

/** The score of an attempt; null where it could not be graded, whatever its scorecard could still add up. */
export function attemptScore({ overall, ...attempt }: Graded & { overall: number | null }): number | null {
  return hasVerdict(attempt) ? overall : null;
}

function hasVerdict({ outcome, validity }: Omit<Graded, 'passed'>): boolean {
  return isGraded(outcome) && validity !== 'invalid';
}

/** Attempts with a usable scorecard; an older server counts by outcome alone. */
export function gradedCount(progress: {
  scored: number;
  graded?: number | undefined;
  by_outcome: Readonly<Record<string, number>>;
}): number {
  if (progress.graded !== undefined) return progress.graded;
  const ungraded = Object.entries(progress.by_outcome)
    .filter(([outcome]) => !isGraded(outcome))
    .reduce((sum, [, number]) => sum + number, 0);
  return Math.max(0, progress.scored - ungraded);
}

export function verdictWord(passed: boolean | null): string {
  if (passed === null) return 'no verdict';
  return passed ? 'passed' : 'failed';
}

export function verdictColor(passed: boolean | null, paint: Paint): (text: string) => string {
  if (passed === null) return paint.yellow;
  return passed ? paint.green : paint.red;
}
