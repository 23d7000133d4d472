interface Edit {
  slug?: string;
  name?: string;
  description?: string;
  number?: number;
  instructions?: string;
  /** Lines of `validators`. */
  validators?: string;
  /** An entry of `version.assets` for each, all of them used. */
  assets?: string[];
}

const NAMES_COUNTRY =
  '{key: country, type: contains, target: final_output, expected_from: case.payload.country}';

/** A small valid pack with two input sets. */
export function packText({
  slug = 'capitals',
  name = 'Capitals',
  description = '',
  number = 1,
  instructions = 'Name the capital.',
  validators = `      - ${NAMES_COUNTRY}`,
  assets = [],
}: Edit = {}): string {
  const artifacts = assets.map((_asset, index) => `{key: a${index}}`).join(', ');
  return `
pack: {slug: ${slug}, name: ${name}, family: trivia${description && `, description: ${description}`}}
version:
  number: ${number}
  execution_mode: prompt_eval
  evaluation_spec:
    name: capitals
    version_number: 1
    judge_mode: deterministic
    validators:
${validators}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
  assets: [${assets.map((asset, index) => `{key: a${index}, ${asset}}`).join(', ')}]
challenges: [{key: capital, title: Capital, category: geo, difficulty: easy, instructions: ${instructions}}]
input_sets:
  - key: americas
    name: Americas
    cases:
      - {challenge_key: capital, case_key: peru, payload: {country: Peru}, artifacts: [${artifacts}], expectations: [{key: capital, kind: text, value: Lima}]}
      - {challenge_key: capital, case_key: chile, payload: {country: Chile}}
  - {key: europe, name: Europe, cases: [{challenge_key: capital, case_key: malta, payload: {country: Malta}}]}
`;
}

/** A valid pack of nearly 1 MiB whose every line costs much more to check than to write. */
export const EXPENSIVE = packText({
  slug: 'expensive',
  validators: Array.from(
    { length: 9_000 },
    (_each, index) =>
      `      - {key: k${index}, type: regex_match, target: final_output, expected_from: "literal:(a{1,200}){1,4}b${index}"}`,
  ).join('\n'),
});
