/** The meaning of each code of a comparison or a gate. */
const REASONS: Readonly<Record<string, string>> = {
  challenge_pack_version_mismatch: 'the runs are of different versions of the pack',
  challenge_input_set_mismatch: 'the runs are of different input sets',
  evaluation_spec_mismatch: 'the runs were scored by different evaluation specs',
  no_common_case: 'no case has a score on both sides',
  missing_scorecard: 'a side has no scorecard yet',
  agent_unresolved: 'a run has several agents',
  not_comparable: 'the runs cannot be compared',
  candidate_scorecard_invalid: 'the candidate has no usable scorecard',
  baseline_scorecard_invalid: 'the baseline has no usable scorecard',
  candidate_missing_share: 'too many attempts of the candidate have no usable scorecard',
  baseline_missing_share: 'too many attempts of the baseline have no usable scorecard',
  candidate_selective_retry: 'attempts of the candidate were run again because of their result',
  baseline_selective_retry: 'attempts of the baseline were run again because of their result',
  candidate_case_subset: 'the candidate ran only some of the cases that the baseline ran',
  baseline_case_subset: 'the baseline ran only some of the cases that the candidate ran',
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
