import type { GatePolicy } from '@agentclash/contracts';

const MODES: Readonly<Record<string, string>> = {
  significant: 'only if significant',
  non_inferior: 'shown to be no worse',
};

type Limits = Pick<
  GatePolicy,
  | 'comparisons'
  | 'other_dimensions'
  | 'missing_dimension'
  | 'require_pass'
  | 'max_missing_share'
  | 'min_cases'
>;

/** The requirements of a policy, one line each, such as `correctness: warns from 0.02, fails from 0.05`. */
export function limitsOf({ comparisons, other_dimensions: others, ...policy }: Limits): string[] {
  const { missing_dimension, require_pass, max_missing_share, min_cases } = policy;
  const lines = Object.entries(comparisons ?? {}).map(([dimension, limit]) => limitLine(dimension, limit));
  if (others !== undefined) lines.push(limitLine('every other dimension of both', others));
  if (missing_dimension === 'note') lines.push('a dimension that a side lacks is a note');
  if (require_pass) lines.push('must pass by itself');
  if (min_cases !== undefined && min_cases > 1) lines.push(`at least ${min_cases} cases`);
  if (max_missing_share) lines.push(`up to ${Math.round(100 * max_missing_share)} % may be missing`);
  return lines;
}

function limitLine(
  dimension: string,
  { max_regression, mode = 'point' }: NonNullable<Limits['other_dimensions']>,
): string {
  const when = MODES[mode];
  const { warn, fail } = max_regression;
  return `${dimension}: warns from ${warn}, fails from ${fail}${when === undefined ? '' : `, ${when}`}`;
}
