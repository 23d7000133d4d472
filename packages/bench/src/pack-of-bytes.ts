const HEAD = `pack: {slug: measured, name: Measured, family: bench}
version:
  number: 1
  execution_mode: prompt_eval
  evaluation_spec:
    name: measured
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: exact, type: exact_match, target: final_output, expected_from: case.expectations.city}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - key: capital
    title: Name the capital
    category: geography
    difficulty: easy
    instructions: Reply with the capital of {{country}} and nothing else.
input_sets:
  - key: default
    name: Default
    cases:
`;

/** A valid pack of many small cases, as people write it, of nearly this many bytes and no more. */
export function packOfBytes(bytes: number): string {
  const parts = [HEAD];
  for (let length = HEAD.length, index = 0; ; index += 1) {
    const next = caseOf(index);
    length += next.length;
    if (length > bytes) return parts.join('');
    parts.push(next);
  }
}

function caseOf(index: number): string {
  return `      - challenge_key: capital
        case_key: case-${index}
        payload:
          country: Country number ${index}
          region: north-west
        expectations:
          - {key: city, kind: text, value: "City ${index}"}
`;
}
