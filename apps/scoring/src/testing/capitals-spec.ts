/** The evaluation spec of runs that name capitals: the output is right or wrong. */
export const CAPITALS_SPEC = {
  name: 'capitals',
  version_number: 1,
  judge_mode: 'deterministic',
  validators: [{ key: 'exact', type: 'exact_match', target: 'final_output', expected_from: 'literal:Lima' }],
  scorecard: { dimensions: ['correctness'], pass_threshold: 1 },
};
