/** Runs if any of it is taken for markup or for a script. */
export const MARKUP = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;
const LINK = "javascript:document.title='taken'";

const quoted = (text: string) => JSON.stringify(text);

/** A pack all of whose free texts carry markup. */
export const HOSTILE_PACK = `
pack: {slug: hostile, name: ${quoted(MARKUP)}, family: ${quoted(LINK)}, description: ${quoted(MARKUP)}}
version:
  number: 1
  execution_mode: prompt_eval
  evaluation_spec:
    name: hostile
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: exact, type: exact_match, target: final_output, expected_from: case.expectations.markup}
    scorecard: {strategy: weighted, pass_threshold: 0.5, dimensions: [{key: correctness, validators: [exact]}]}
challenges:
  - {key: markup, title: ${quoted(MARKUP)}, category: ${quoted(MARKUP)}, difficulty: easy, instructions: ${quoted(MARKUP)}}
input_sets:
  - key: default
    name: ${quoted(MARKUP)}
    description: ${quoted(MARKUP)}
    cases:
      - challenge_key: markup
        case_key: first
        payload: {text: ${quoted(MARKUP)}}
        expectations: [{key: markup, kind: text, value: ${quoted(MARKUP)}}]
`;

/** Agents whose output is markup, under names that are markup. */
export const HOSTILE_DEPLOYMENTS = `
deployments:
  - {name: ${quoted(`${MARKUP} a`)}, kind: scripted, config: {steps: [{message: ${quoted(MARKUP)}}, {answer: ${quoted(MARKUP)}}]}}
  - {name: ${quoted(`${LINK} b`)}, kind: scripted, config: {steps: [{answer: ${quoted(`${LINK} ${MARKUP}`)}}]}}
`;
