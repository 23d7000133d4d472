/** One question with one expected text; no tools. */
export const SMALLEST_USEFUL = `
pack: {slug: capital-cities, name: Capital cities, family: trivia}
version:
  number: 1
  execution_mode: prompt_eval
  evaluation_spec:
    name: capital-cities
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: exact, type: exact_match, target: final_output, expected_from: case.expectations.result}
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
      - challenge_key: capital
        case_key: peru
        payload: {country: Peru}
        expectations: [{key: result, kind: text, value: Lima}]
`;

/** A tool that carries a secret. */
export const TOOL_WITH_SECRET = `
pack: {slug: pallet-help, name: Pallet help, family: support}
version:
  number: 3
  execution_mode: native
  tool_policy: {allowed_tool_kinds: [network]}
  sandbox: {network_access: true}
  evaluation_spec:
    name: pallet-help
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: mentions_depot, type: contains, target: final_output, expected_from: "literal:Leipzig"}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
tools:
  custom:
    - name: track_pallet
      description: Find out where a pallet is.
      parameters:
        type: object
        properties: {pallet: {type: string}, limit: {type: integer}}
        required: [pallet]
      implementation:
        primitive: http_request
        args:
          method: POST
          url: https://pallets.example.com/v2/\${path:pallet}/events
          headers: {Authorization: "Bearer \${secrets.PALLET_TOKEN}", Content-Type: application/json}
          body: '{"limit": \${limit}, "note": "costs $\${5}"}'
challenges:
  - {key: locate, title: Locate a pallet, category: logistics, difficulty: medium, instructions: Where is pallet P-77?}
input_sets:
  - key: default
    name: Default
    cases: [{challenge_key: locate, case_key: p77, payload: {pallet: P-77}}]
`;

/** A case whose inputs and expectations are files. */
export const A_CASE_OF_FILES = `
pack: {slug: ledger-audit, name: Ledger audit, family: finance}
version:
  number: 1
  assets:
    - {key: rules, path: shared/rules.md, media_type: text/markdown, artifact_id: 7b0c2c52-6a0e-4a5e-9f0e-0d5c2f6f1a11}
  evaluation_spec:
    name: ledger-audit
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: total, type: exact_match, target: final_output, expected_from: case.expectations.total}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - key: audit
    title: Audit a ledger
    category: finance
    difficulty: hard
    instructions: Apply rules.md to the ledger and report the corrected total.
    artifact_refs: [{key: rules}]
    assets:
      - {key: gold, path: gold/default.txt}
input_sets:
  - key: q1
    name: First quarter
    cases:
      - challenge_key: audit
        case_key: march
        case_timeout_seconds: 900
        assets:
          - {key: ledger, path: march/ledger.csv, artifact_id: 0f9d6a1e-54d3-4d0b-8a5e-3f7d9b1c2e22}
          - {key: gold, path: march/gold.txt, artifact_id: 4c1e8f70-2b9a-4e57-b7c6-9e2a5d8f3c33}
        artifacts: [{key: ledger}]
        expectations: [{key: total, kind: text, source: "artifact:gold"}]
`;

/** A conversation with a simulated user. */
export const A_CONVERSATION = `
pack: {slug: late-refund, name: Late refund, family: support}
version:
  number: 1
  execution_mode: multi_turn
  evaluation_spec:
    name: late-refund
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: names_date, type: regex_match, target: final_output, expected_from: 'literal:\\d{1,2} May'}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - {key: refund, title: Explain a late refund, category: support, difficulty: medium}
input_sets:
  - key: default
    name: Default
    cases:
      - challenge_key: refund
        case_key: order-1042
        payload: {order: {id: 1042}}
        user_simulator:
          schema_version: 1
          kind: hybrid
          max_turns: 10
          phases:
            - id: open
              actor: scripted
              turns:
                - message: Where is my money for order {{order.id}}?
                  expects: [{key: apology, kind: regex_match, value: '(?i)sorry|apolog'}]
            - id: pressure
              actor: llm
              trigger: on_assistant_mismatch
              persona: A customer whose request was ignored twice already.
              max_turns: 3
              until: ["assistant_emitted:refund"]
            - {id: supervisor, actor: human, trigger: on_judge_below, timeout_ms: 600000}
`;
