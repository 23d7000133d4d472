import type { GatePolicy, LaneComparison, RaceComparison } from '@agentclash/contracts';
import { comparedRaceLine } from './race/compared-race.js';

const MODES: Readonly<Record<string, string>> = {
  significant: 'only if significant',
  non_inferior: 'shown to be no worse',
};

/** The requirements among the members of a policy. */
export const GATE_REQUIREMENTS = [
  'comparisons',
  'other_dimensions',
  'missing_dimension',
  'require_pass',
  'min_cases',
  'max_missing_share',
  'imported_runs',
  'pack_audit',
] as const satisfies readonly (keyof GatePolicy)[];

type Limits = Pick<GatePolicy, (typeof GATE_REQUIREMENTS)[number]>;

/** The requirements of a policy, one line each, such as `correctness: warns from 0.02, fails from 0.05`. */
export function limitsOf({ comparisons, other_dimensions: others, ...policy }: Limits): string[] {
  const { missing_dimension, require_pass, max_missing_share, min_cases, imported_runs, pack_audit } = policy;
  const lines = Object.entries(comparisons ?? {}).map(([dimension, limit]) => limitLine(dimension, limit));
  if (others !== undefined) lines.push(limitLine('every other dimension of both', others));
  if (missing_dimension === 'note') lines.push('a dimension that a side lacks is a note');
  if (require_pass) lines.push('must pass by itself');
  if (min_cases !== undefined && min_cases > 1) lines.push(`at least ${min_cases} cases`);
  if (max_missing_share) lines.push(`up to ${Math.round(100 * max_missing_share)} % may be missing`);
  if (imported_runs === 'warn') lines.push('warns about imported runs');
  if (imported_runs === 'allow') lines.push('imported runs are allowed');
  if (pack_audit?.required) lines.push(auditLine(pack_audit));
  return lines;
}

function auditLine({ min_strength: least, max_age_days: days }: NonNullable<Limits['pack_audit']>): string {
  const strength = least === undefined ? '' : `, with a strength of at least ${least}`;
  const age = days === undefined ? '' : `, in the last ${days} ${days === 1 ? 'day' : 'days'}`;
  return `the version must have passed its audit${strength}${age}`;
}

function limitLine(
  dimension: string,
  { max_regression, mode = 'point' }: NonNullable<Limits['other_dimensions']>,
): string {
  const when = MODES[mode];
  const { warn, fail } = max_regression;
  return `${dimension}: warns from ${warn}, fails from ${fail}${when === undefined ? '' : `, ${when}`}`;
}

/** True of an agent that one of the compared runs alone has. */
export function isUnpaired({ reasons }: Pick<LaneComparison, 'reasons'>): boolean {
  return reasons.includes('not_in_baseline') || reasons.includes('not_in_candidate');
}

/** The meaning of each code of a comparison or a gate. */
const REASONS: Readonly<Record<string, string>> = {
  challenge_pack_version_mismatch: 'the runs are of different versions of the pack',
  challenge_input_set_mismatch: 'the runs are of different input sets',
  evaluation_spec_mismatch: 'the runs were scored by different evaluation specs',
  no_common_case: 'no case has a score on both sides',
  missing_scorecard: 'a side has no scorecard yet',
  agent_unresolved: 'a run has several agents',
  not_in_baseline: 'no agent of the baseline has this name',
  not_in_candidate: 'no agent of the candidate has this name',
  stopped_early: 'a run that stopped early is not tested, only the verdict of its race holds for all cases',
  not_comparable: 'the runs cannot be compared',
  candidate_scorecard_invalid: 'the candidate has no usable scorecard',
  baseline_scorecard_invalid: 'the baseline has no usable scorecard',
  candidate_missing_share: 'too many attempts of the candidate have no usable scorecard',
  baseline_missing_share: 'too many attempts of the baseline have no usable scorecard',
  candidate_selective_retry: 'attempts of the candidate were run again because of their result',
  baseline_selective_retry: 'attempts of the baseline were run again because of their result',
  candidate_case_subset: 'the candidate ran only some of the cases that the baseline ran',
  baseline_case_subset: 'the baseline ran only some of the cases that the candidate ran',
  candidate_recorded_model_calls:
    'the candidate was served recorded or cached replies of models, which the policy does not allow',
  baseline_recorded_model_calls:
    'the baseline was served recorded or cached replies of models, which the policy does not allow',
  candidate_imported: 'the attempts of the candidate were run elsewhere and imported',
  baseline_imported: 'the attempts of the baseline were run elsewhere and imported',
  audit_missing: 'the version of the pack has no audit',
  audit_not_passed: 'the newest audit of the version did not pass',
  audit_quick: 'the newest audit of the version was quick, and tried a part of it',
  audit_outdated: 'the newest audit of the version is older than the policy allows',
  audit_strength_below_minimum: 'the graders of the version notice fewer mutants than the policy requires',
  too_few_cases: 'fewer cases than the policy requires',
  candidate_failed: 'no attempt of the candidate completed',
  pass_unknown: 'it is unknown whether the candidate passed by itself',
  not_passed: 'the candidate did not pass by itself',
  regression_fail: 'lost more than the policy lets pass',
  regression_warn: 'lost enough to warn',
  dimension_unavailable: 'not scored on both sides',
  too_few_cases_to_test: 'so few cases could not show any loss',
  nothing_compared: 'no dimension of the policy is scored on both sides',
  non_inferiority_not_shown: 'not shown to be no worse: more cases could decide it',
  race_undecided: 'the race ended before it was decided',
  race_insufficient: 'the race has too many cases without a usable attempt',
  below_minimum: 'below the minimum',
  measure_unknown: 'there is no score of this name',
  minimums_met: 'every minimum is reached',
  within_thresholds: 'nothing was lost beyond the policy',
};

/**
 * A reason in words, such as `correctness: lost enough to warn`; `advice` adds what helps with a code in this interface.
 * An unknown code is written with blanks.
 */
export function reasonInWords(reason: string, advice: Readonly<Record<string, string>> = {}): string {
  const [code = reason, ...rest] = reason.split(':');
  const meaning = Object.hasOwn(REASONS, code) ? REASONS[code] : code.replaceAll('_', ' ');
  const words = Object.hasOwn(advice, code) ? `${meaning}: ${advice[code]}` : `${meaning}`;
  return rest.length === 0 ? words : `${rest.join(':')}: ${words}`;
}

/** A decision, as far as its reasons need it. */
interface Decided {
  reasons: readonly string[];
  policy: Limits;
  /** By compared dimension; absent from decisions of earlier releases. */
  detectable?: Readonly<Record<string, number | null>> | undefined;
  /** Where the verdict of a race decided. */
  race?: RaceComparison | undefined;
  /** Where several agents were compared. */
  agents?: readonly (Omit<Decided, 'policy' | 'agents'> & { agent: string })[] | undefined;
}

/** Why a gate decided so, one line each; what a pass means depends on what was compared, and how. */
export function gateReasonsInWords(
  { reasons, policy, detectable, race, agents }: Decided,
  advice: Readonly<Record<string, string>> = {},
): string[] {
  if (agents !== undefined) {
    return agents.flatMap(({ agent, ...finding }) =>
      gateReasonsInWords({ ...finding, policy }, advice).map((line) => `${agent}: ${line}`),
    );
  }
  const lines = reasons.map((reason) => {
    if (reason !== 'within_thresholds') return reasonInWords(reason, advice);
    if (race !== undefined) return 'the race shows no loss beyond the policy';
    return detectable === undefined
      ? reasonInWords(reason, advice)
      : passInWords(policy, Object.keys(detectable));
  });
  return race === undefined ? lines : [...lines, comparedRaceLine(race)];
}

function passInWords({ comparisons = {}, other_dimensions: others }: Limits, compared: readonly string[]) {
  if (compared.length === 0) return 'no dimension was compared; the other requirements of the policy are met';
  const modeOf = (dimension: string) =>
    (Object.hasOwn(comparisons, dimension) ? comparisons[dimension] : others)?.mode;
  return compared.every((dimension) => modeOf(dimension) === 'significant')
    ? 'no significant loss beyond the policy'
    : reasonInWords('within_thresholds');
}

const UNAVAILABLE = 'dimension_unavailable:';

/** The notes of a decision, one line each; dimensions that were not compared are one line where they are those of every agent. */
export function gateNotesInWords(
  notes: readonly string[],
  advice: Readonly<Record<string, string>> = {},
): string[] {
  const lacking = new Map<string, string[]>();
  for (const note of notes) {
    if (!note.startsWith(UNAVAILABLE)) continue;
    const [, agent = '', dimension = ''] = /^(?:(.*) \/ )?(.*)$/s.exec(note.slice(UNAVAILABLE.length)) ?? [];
    lacking.set(agent, [...(lacking.get(agent) ?? []), dimension]);
  }
  const sets = [...lacking].map(([agent, dimensions]) => ({ agent, dimensions: dimensions.join(', ') }));
  const isOfAll = new Set(sets.map(({ dimensions }) => dimensions)).size === 1;
  const names = isOfAll
    ? sets.slice(0, 1).map(({ dimensions }) => dimensions)
    : sets.map(({ agent, dimensions }) => `${agent} / ${dimensions}`);
  return [
    ...notes.filter((note) => !note.startsWith(UNAVAILABLE)),
    ...names.map((each) => `${UNAVAILABLE}${each}`),
  ].map((note) => `note: ${reasonInWords(note, advice)}`);
}
