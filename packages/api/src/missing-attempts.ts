import type { LaneComparison, MissingAttempts } from '@agentclash/contracts';

/** Reasons and cases named in a line. */
const NAMED_MAX = 3;

/** The attempts without a usable scorecard on each side of a comparison, with the reasons: one line per side. */
export function missingAttemptsLines({ missing }: Pick<LaneComparison, 'missing'>): string[] {
  return (['baseline', 'candidate'] as const).flatMap((side) => {
    const found = missing?.[side];
    return found === undefined ? [] : [`${side}: ${sentence(found)}`];
  });
}

function sentence({ planned, attempts, reasons, cases }: MissingAttempts): string {
  const what = `${attempts} of ${planned} attempts have no usable scorecard`;
  const named = reasons.slice(0, NAMED_MAX).map(({ reason, attempts: count }) => {
    const keys = cases.filter((each) => each.reason === reason).map(({ case_key }) => case_key);
    return `${count} ${reason.replaceAll('_', ' ')}${keys.length === 0 ? '' : ` (${casesNamed(keys)})`}`;
  });
  if (named.length === 0) return what;
  const more = reasons.length - named.length;
  return `${what}: ${named.join(', ')}${more > 0 ? ` and ${more} more reasons` : ''}`;
}

function casesNamed(keys: readonly string[]): string {
  const more = keys.length - NAMED_MAX;
  const named = keys.slice(0, NAMED_MAX).join(', ');
  return `${keys.length === 1 ? 'case' : 'cases'} ${named}${more > 0 ? ' and others' : ''}`;
}
