const dimension = { key: 'liked', source: 'human_preference' };
/** A dimension for people's votes, unless `more` replaces it. */
export const votedSpec = (more: object = {}) => ({
  name: 'capitals',
  version_number: 1,
  judge_mode: 'deterministic',
  validators: [{ key: 'exact', type: 'exact_match', target: 'final_output', expected_from: 'literal:Lima' }],
  scorecard: { dimensions: ['correctness', dimension], pass_threshold: 0.5 },
  ...more,
});
/** Two judges, whose criteria people see. */
export const JUDGED = votedSpec({
  judge_mode: 'hybrid',
  llm_judges: [
    {
      key: 'clear',
      mode: 'rubric',
      model: 'claude-sonnet-4-5',
      rubric: 'Is it clear?',
      score_scale: { min: 1, max: 5 },
    },
    { key: 'rude', mode: 'assertion', model: 'claude-sonnet-4-5', assertion: 'It is rude.', expect: false },
  ],
  scorecard: {
    dimensions: [
      'correctness',
      { key: 'clarity', source: 'llm_judge', judge_key: 'clear', pass_threshold: 0.75 },
    ],
    pass_threshold: 0.5,
  },
});
