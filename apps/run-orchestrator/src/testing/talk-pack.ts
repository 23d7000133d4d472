/** A pack of mode `multi_turn` with a human actor; the phases are YAML flow mappings. */
export function conversationPack(phases: string[], options: { slug?: string; cases?: number } = {}): string {
  const { slug = 'talks', cases = 1 } = options;
  const rows = Array.from(
    { length: cases },
    (_, index) => `      - challenge_key: talk
        case_key: case-${index + 1}
        payload: {}
        user_simulator:
          schema_version: 1
          kind: hybrid
          phases: [${phases.join(', ')}]`,
  );
  return `pack: {slug: ${slug}, name: Talks, family: talks}
version:
  number: 1
  execution_mode: multi_turn
  evaluation_spec:
    name: talks
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: any, type: contains, target: final_output, expected_from: 'literal:e'}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - {key: talk, title: Talk, category: talks, difficulty: easy, instructions: Talk.}
input_sets:
  - key: all
    name: All
    cases:
${rows.join('\n')}
`;
}

export const HUMAN_PHASE = '{id: human, actor: human, trigger: always, timeout_ms: 60000, on_timeout: stop}';
export const EXTRA = '{id: extra, actor: scripted, trigger: manual, turns: [{message: More.}]}';
