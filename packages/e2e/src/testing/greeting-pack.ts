/** A pack of one challenge with equal cases (`case-0`, `case-1`, …), which the reply `hi` passes and nothing else. */
export const greetingPack = (
  slug: string,
  options: { mode: 'prompt_eval' | 'native'; cases: number },
): string => `
pack: {slug: ${slug}, name: Greetings, family: tests}
version:
  number: 1
  execution_mode: ${options.mode}
  evaluation_spec:
    name: ${slug}
    version_number: 1
    judge_mode: deterministic
    validators: [{key: exact, type: exact_match, target: final_output, expected_from: case.expectations.word}]
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges: [{key: greet, title: Greet, category: tests, difficulty: easy, instructions: Reply with the word.}]
input_sets:
  - key: default
    name: All
    cases:
${Array.from({ length: options.cases }, (_, n) => `      - {challenge_key: greet, case_key: case-${n}, expectations: [{key: word, kind: text, value: hi}]}`).join('\n')}
`;
