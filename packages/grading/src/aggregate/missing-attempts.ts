import { compareCodePoints } from '@agentclash/challengepack';
import type { MissingAttempts } from '@agentclash/domain';

/** Why one attempt has no usable scorecard: the code of an error, else how it ended. */
interface MissingAttempt {
  readonly case_key: string;
  readonly reason: string;
}

/** Attempts of one case that are missing for one reason. */
interface MissingCase extends MissingAttempt {
  readonly attempts: number;
}

export const MISSING_CASES_MAX = 50;

/** Of attempts that were planned and of which nothing is stored. */
const NEVER_SCORED = 'not_scored';

/** Undefined when nothing is missing. `planned` counts usable attempts too. */
export function missingAttempts(
  missing: readonly MissingAttempt[],
  { planned, usable }: { planned: number; usable: number },
): MissingAttempts | undefined {
  const unknown = Math.max(0, planned - usable - missing.length);
  const attempts = missing.length + unknown;
  if (attempts === 0) return undefined;
  const reasons = new Map<string, number>(unknown > 0 ? [[NEVER_SCORED, unknown]] : []);
  const cases = new Map<string, MissingCase>();
  for (const { case_key, reason } of missing) {
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    const key = JSON.stringify([case_key, reason]);
    cases.set(key, { case_key, reason, attempts: (cases.get(key)?.attempts ?? 0) + 1 });
  }
  return {
    attempts,
    reasons: [...reasons]
      .map(([reason, count]) => ({ reason, attempts: count }))
      .sort((a, b) => b.attempts - a.attempts || compareCodePoints(a.reason, b.reason)),
    cases: [...cases.values()].sort(mostFrequentFirst).slice(0, MISSING_CASES_MAX),
  };
}

function mostFrequentFirst(a: MissingCase, b: MissingCase): number {
  return (
    b.attempts - a.attempts ||
    compareCodePoints(a.case_key, b.case_key) ||
    compareCodePoints(a.reason, b.reason)
  );
}
