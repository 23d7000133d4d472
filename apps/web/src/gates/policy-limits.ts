import type { GatePolicy } from '@agentclash/api';

const MODES: Readonly<Record<string, string>> = {
  significant: 'only if significant',
  non_inferior: 'shown to be no worse',
};

type Limits = Pick<GatePolicy, 'comparisons' | 'require_pass' | 'max_missing_share' | 'min_cases'>;

/** What a policy asks for, a line each, such as `correctness: warns from 0.02, fails from 0.05`. */
export function limitsOf({ comparisons, require_pass, max_missing_share, min_cases }: Limits): string[] {
  const lines = Object.entries(comparisons ?? {}).map(([dimension, { max_regression, mode = 'point' }]) => {
    const { warn, fail } = max_regression;
    const when = MODES[mode];
    return `${dimension}: warns from ${warn}, fails from ${fail}${when === undefined ? '' : `, ${when}`}`;
  });
  if (require_pass) lines.push('must pass by itself');
  if (min_cases !== undefined && min_cases > 1) lines.push(`at least ${min_cases} cases`);
  if (max_missing_share) lines.push(`up to ${Math.round(100 * max_missing_share)} % may be missing`);
  return lines;
}
