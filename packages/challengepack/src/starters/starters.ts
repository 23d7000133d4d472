import type { ExecutionMode } from '@agentclash/domain';

/** The kinds of starter packs, by execution mode. */
export type StarterKind = ExecutionMode;

/** A commented pack to begin with; it validates as it is. */
export function starterText(kind: StarterKind, slug: string): string {
  return STARTERS[kind].trimStart().replaceAll('{slug}', slug);
}

/** The same with a first line that names the schema beside it, for editors. */
export function starterPack(kind: StarterKind, slug: string): string {
  return `${SCHEMA_LINE}\n${starterText(kind, slug)}`;
}

/** The subject of each starter pack in a sentence. */
export const STARTER_SUBJECTS: Record<StarterKind, string> = {
  native: 'An agent works on files in a sandbox, with tools.',
  prompt_eval: 'A prompt and a reply, without tools and without a sandbox.',
  responses: 'A prompt and the built-in tools in a sandbox, until the first message without a call.',
  multi_turn: 'A simulated user leads a conversation with the agent.',
};

const SLUG_MAX = 64;

/** A name as the slug of a pack; `starter` where nothing of it is left. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_MAX)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'starter' : slug;
}

/** The file beside a pack that editors read: they take no schema from a program. */
export const SCHEMA_FILE = 'challenge-pack.schema.json';

const SCHEMA_LINE = `# yaml-language-server: $schema=./${SCHEMA_FILE}`;

const NATIVE = `
# A challenge pack: the tasks, the cases, what the agent may use, and how the result is scored.
# agentclash challenge-pack validate shows every problem with its line and column.
pack:
  slug: {slug}
  name: Sum the numbers
  family: starter
  description: The agent reads numbers from a file and writes their sum to another.

version:
  number: 1 # a published version never changes: count up for the next one
  execution_mode: native # the agent works in a sandbox, with tools
  tool_policy:
    allowed_tool_kinds: [file, shell]
    allow_shell: true
  evaluation_spec:
    name: {slug}
    version_number: 1
    judge_mode: deterministic
    # Captured from the sandbox after the agent has ended.
    post_execution_checks:
      - {key: answer, type: file_capture, path: /workspace/answer.txt}
    validators:
      - key: written
        type: numeric_match
        target: "file:answer"
        expected_from: case.expectations.sum
      - key: replied
        type: numeric_match
        target: final_output
        expected_from: case.expectations.sum
    scorecard:
      strategy: hybrid # gates must hold, and the weighted mean must reach the bar
      pass_threshold: 0.8
      dimensions:
        - {key: correctness, source: validators, validators: [written], gate: true, pass_threshold: 1}
        - {key: reply, source: validators, validators: [replied], gate: true, pass_threshold: 1}
        - {key: latency, normalization: {target: 5000, max: 60000}, weight: 0.5}

challenges:
  - key: sum
    title: Sum the numbers
    category: arithmetic
    difficulty: easy
    # {{…}} is filled in from the payload and the inputs of the case.
    instructions: |
      The file numbers.txt holds one number a line. Write their sum to {{output}} and answer with the sum alone.
    # The work of a perfect agent, which no agent receives: agentclash challenge-pack audit runs it.
    solution:
      files:
        - {path: answer.txt, content: "{{case.expectations.sum}}"}
      answer_from: case.expectations.sum

input_sets:
  - key: default
    name: Default
    description: Small sums, one of them negative. # shown wherever people choose an input set
    cases:
      # The style of a payload: values of your own that fill the instructions, and files written out here.
      - challenge_key: sum
        case_key: small
        payload:
          output: answer.txt
          workspace_files:
            - {path: numbers.txt, content: "1\\n2\\n3\\n"}
        expectations: # for the scoring alone: no agent ever sees them
          - {key: sum, kind: number, value: 6}
      - challenge_key: sum
        case_key: negative
        payload:
          output: answer.txt
          workspace_files:
            - {path: numbers.txt, content: "-7\\n4\\n"}
        expectations:
          - {key: sum, kind: number, value: -3}
      # The style of files: assets beside the pack. What only an expectation names never reaches the agent.
      # - challenge_key: sum
      #   case_key: from-files
      #   payload: {output: answer.txt}
      #   assets:
      #     - {key: numbers, path: numbers.txt}
      #     - {key: gold, path: gold/sum.txt}
      #   inputs:
      #     - {key: numbers, kind: file, artifact_key: numbers}
      #   expectations:
      #     - {key: sum, kind: number, source: "artifact:gold"}
`;

const PROMPT_EVAL = `
# A challenge pack: the tasks, the cases, and how the results are scored.
# agentclash challenge-pack validate shows every problem with its line and column.
pack:
  slug: {slug}
  name: Capitals
  family: starter
  description: One question, one answer; no tools, no sandbox.

version:
  number: 1 # a published version never changes: count up for the next one
  execution_mode: prompt_eval # the agent gets a prompt and replies to it
  evaluation_spec:
    name: {slug}
    version_number: 1
    judge_mode: deterministic
    validators:
      - key: right
        type: ends_with
        target: final_output
        expected_from: case.expectations.capital
      - key: named
        type: starts_with
        target: final_output
        expected_from: case.expectations.country
      - key: short
        type: length_range
        target: final_output
        config: {max: 60}
    scorecard:
      strategy: hybrid # gates must hold, and the weighted mean must reach the bar
      pass_threshold: 0.8
      dimensions:
        - {key: correctness, source: validators, validators: [right, named], gate: true, pass_threshold: 1}
        - {key: brevity, source: validators, validators: [short]}

challenges:
  - key: capital
    title: Name the capital
    category: knowledge
    difficulty: easy
    # {{…}} is filled in from the inputs and the payload of the case.
    instructions: "What is the capital of {{country}}? Answer in the form Country: Capital."
    # The work of a perfect agent, which no agent receives: agentclash challenge-pack audit runs it.
    solution: {answer: "{{case.inputs.country}}: {{case.expectations.capital}}"}

input_sets:
  - key: default
    name: Default
    description: Well-known countries. # shown wherever people choose an input set
    cases:
      # The style of inputs: each has a key, by which templates and expectations name it, and a kind, which defines how it
      # is shown (text, markdown, json, code, image, file, table). The style of a payload is shorter: the same case with
      # payload: {country: France} in place of its inputs.
      - challenge_key: capital
        case_key: france
        inputs:
          - {key: country, kind: text, value: France}
        expectations: # for the scoring alone: no agent ever sees them
          - {key: capital, kind: text, value: Paris}
          - {key: country, kind: text, source: "input:country"} # the value of the input
      - challenge_key: capital
        case_key: japan
        inputs:
          - {key: country, kind: text, value: Japan}
        expectations:
          - {key: capital, kind: text, value: Tokyo}
          - {key: country, kind: text, source: "input:country"}
`;

const RESPONSES = `
# A challenge pack: the tasks, the cases, what the agent may use, and how the results are scored.
# agentclash challenge-pack validate shows every problem with its line and column.
pack:
  slug: {slug}
  name: Log questions
  family: starter
  description: One question about a file; the first message without a tool call is the answer.

version:
  number: 1 # a published version never changes: count up for the next one
  execution_mode: responses # one prompt, built-in tools in a sandbox; a pack of this mode defines no tools
  tool_policy:
    allowed_tool_kinds: [file]
  evaluation_spec:
    name: {slug}
    version_number: 1
    judge_mode: deterministic
    validators:
      - key: right
        type: numeric_match
        target: final_output
        expected_from: case.expectations.requests
      - key: short
        type: length_range
        target: final_output
        config: {max: 20}
    scorecard:
      strategy: hybrid # gates must hold, and the weighted mean must reach the bar
      pass_threshold: 0.8
      dimensions:
        - {key: correctness, source: validators, validators: [right], gate: true, pass_threshold: 1}
        - {key: brevity, source: validators, validators: [short], weight: 0.5}

challenges:
  - key: count
    title: Count requests
    category: data
    difficulty: easy
    # {{…}} is filled in from the payload of the case.
    instructions: |
      How many requests in access.log ended with the status {{status}}? Answer with the number and nothing else.
    # The work of a perfect agent, which no agent receives: agentclash challenge-pack audit runs it.
    solution: {answer_from: case.expectations.requests}

input_sets:
  - key: default
    name: Default
    description: Requests by their status. # shown wherever people choose an input set
    cases:
      - challenge_key: count
        case_key: not-found
        payload:
          status: 404
          workspace_files:
            - {path: access.log, content: "GET / 200\\nGET /favicon.ico 404\\nPOST /orders 500\\nGET /old 404\\n"}
        expectations: # for the scoring alone: no agent ever sees them
          - {key: requests, kind: number, value: 2}
      - challenge_key: count
        case_key: errors
        payload:
          status: 500
          workspace_files:
            - {path: access.log, content: "GET / 200\\nPOST /orders 500\\n"}
        expectations:
          - {key: requests, kind: number, value: 1}
`;

const MULTI_TURN = `
# A challenge pack: the tasks, the conversations, and how they are scored.
# agentclash challenge-pack validate shows every problem with its line and column.
pack:
  slug: {slug}
  name: Table booking
  family: starter
  description: A scripted customer talks with the agent.

version:
  number: 1 # a published version never changes: count up for the next one
  execution_mode: multi_turn # a simulated user leads a conversation
  evaluation_spec:
    name: {slug}
    version_number: 1
    judge_mode: deterministic
    validators:
      - key: confirmed
        type: contains
        target: final_output
        expected_from: case.expectations.day
      - key: short # a list of all days has the right one, too
        type: length_range
        target: final_output
        config: {max: 200}
      - key: polite
        type: regex_match
        target: transcript.full
        expected_from: "literal:(?i)(please|thank|welcome)"
    scorecard:
      strategy: hybrid # gates must hold, and the weighted mean must reach the bar
      pass_threshold: 0.7
      dimensions:
        - {key: correctness, source: validators, validators: [confirmed, short], gate: true, pass_threshold: 1}
        - {key: manners, source: validators, validators: [polite]}

challenges:
  - key: booking
    title: Take a booking
    category: conversation
    difficulty: medium
    instructions: |
      You take the bookings of {{restaurant}}. Take the customer's booking and confirm the day in your last message.
    # The work of a perfect agent, which no agent receives: agentclash challenge-pack audit runs it.
    solution:
      steps:
        - message: A table for two on Thursday, thank you.
        - message: You are welcome. Your table for two is booked for Friday.

input_sets:
  - key: default
    name: Default
    description: Customers who change their mind. # shown wherever people choose an input set
    cases:
      - challenge_key: booking
        case_key: changed-mind
        payload: {restaurant: The Anchor}
        expectations: # for the scoring alone: no agent ever sees them
          - {key: day, kind: text, value: Friday}
        user_simulator:
          schema_version: 1
          kind: hybrid
          max_turns: 6
          phases:
            - id: opening
              actor: scripted
              turns:
                - message: A table for two on Thursday, please.
                - message: Sorry, make that Friday. Can you confirm?
                  expects:
                    - {key: friday, kind: contains, value: Friday}
`;

const STARTERS: Record<StarterKind, string> = {
  prompt_eval: PROMPT_EVAL,
  responses: RESPONSES,
  native: NATIVE,
  multi_turn: MULTI_TURN,
};
