import type { ValidatorEntry } from './validator-entry.js';

const JUNIT = (failed: number) =>
  `<testsuite tests="2" failures="${failed}"><testcase name="a"/><testcase name="b">${failed > 0 ? '<failure/>' : ''}</testcase></testsuite>`;

/** The types that look at files, test runs and tool calls. */
export const WORKSPACE_ENTRIES = {
  file_exists: {
    summary:
      'Passes when the captured file or listed directory exists, or with `must_exist: false` when it does not.',
    example: {
      validator: {},
      passes: { file: 'anything, even nothing' },
      fails: { file: null, reason: 'file_missing' },
    },
  },
  file_content_match: {
    summary:
      'Passes when the content of the captured file compares with the expected text according to `match_mode`.',
    expected: 'what match_mode compares with: text, an RE2 expression or JSON',
    rules: [
      [
        'White space',
        '`ignore_whitespace` turns runs of white space on both sides into one space and trims nothing; it has no effect on `regex` and `json_equal`.',
      ],
      [
        'Missing files',
        'A missing file fails every mode, `not_contains` too. A file cut at its size limit passes only by a hit of `contains` or `regex`.',
      ],
    ],
    example: {
      validator: { expected_from: 'literal:{"total": 42}', config: { match_mode: 'json_equal' } },
      passes: { file: '{ "total": 42.0 }\n' },
      fails: { file: '{"total": 41}', reason: 'not_equal' },
    },
  },
  file_json_schema: {
    summary: 'Passes when the captured file is JSON that meets the schema of the config.',
    rules: [['Dialect', 'As `json_schema`.']],
    example: {
      validator: { config: { schema: { type: 'array', minItems: 1 } } },
      passes: { file: '[1]' },
      fails: { file: '[]', reason: 'schema_violation' },
    },
  },
  directory_structure: {
    summary:
      'Passes when the listed directory has the required files and directories and none of the forbidden entries.',
    rules: [
      [
        'Paths',
        'Relative to the listing, or absolute. A file is no directory, nor the reverse; `forbidden_files` forbids entries of any kind.',
      ],
    ],
    example: {
      validator: { config: { required_files: ['README.md', 'src/main.py'], forbidden_files: ['.env'] } },
      passes: { listing: ['README.md', 'src/', 'src/main.py'] },
      fails: { listing: ['README.md', 'src/', 'src/main.py', '.env'], reason: 'structure_mismatch' },
    },
  },
  postcondition: {
    summary: 'Passes when the condition of the config holds of the captured file.',
    rules: [
      [
        'Comparison',
        '`equals` with a text compares the content as it is, with anything else deeply as JSON; `json_path_match` wants the first node equal to `value`. `exists` and `not_exists` take a listing too.',
      ],
    ],
    example: {
      validator: { config: { condition: 'json_path_match', json_path: '$.status', value: 'done' } },
      passes: { file: '{"status": "done"}' },
      fails: { file: '{"status": "open"}', reason: 'no_match' },
    },
  },
  code_execution: {
    summary:
      'Runs a command in a fresh sandbox with the workspace the agent left, and scores the tests that pass.',
    rules: [
      [
        'Formula',
        'Passed / total tests, skipped ones apart; `all_or_nothing`: 1 if all passed, else 0. All passed with another exit code than 0 scores 0 (`exit_code_mismatch`), no test scores 0 (`no_tests_ran`), the time limit scores 0 (`test_timeout`).',
      ],
      [
        'Counts',
        'From the first of `reports` that exists, or the JUnit file at `report_path`, alone, if one is given. Otherwise from what the command prints: a JSON object with passed, failed, errors, total; JUnit; else the sums of `N passed`, `N failed`, `N errors`; and without any of these exit code 0 scores 1. Whatever runs inside the command can write all of these: a report that the code under test could reach is no proof.',
      ],
    ],
    example: {
      validator: { config: { test_command: 'python3 -I /grader/check.py', report_path: 'report.xml' } },
      passes: { run: { exit_code: 0, report: JUNIT(0) } },
      fails: { run: { exit_code: 1, report: JUNIT(1) }, reason: 'below_threshold' },
    },
  },
  script: {
    summary:
      'Runs a script of the pack, which reads the evidence and replies with a score and a verdict, in a verifier sandbox.',
    rules: [
      [
        'Input',
        'The evidence as one JSON object on standard input: schema, validator_key, outcome, final_output, payload, inputs, expectations, artifacts, files, transcript, tool_calls and metrics.',
      ],
      [
        'Reply',
        'One JSON object on standard output, at most 64 KiB, no member twice: `score` from 0 to 1, `passed`, and optionally `reason`, a text. A script that prints more is ended at once. Standard error is kept as evidence.',
      ],
      [
        'Errors',
        'A script without such a reply is an error of the pack, never a failure of the agent: `script_timeout`, `script_out_of_memory`, `script_failed`, `interpreter_missing`, `reply_missing`, `reply_too_large`, `reply_unparsable`, `reply_not_an_object`, `reply_member_repeated`, `score_not_a_number`, `score_out_of_range`, `passed_not_boolean`, `reason_not_text`, `evidence_too_large`.',
      ],
    ],
    example: {
      validator: { config: { artifact_key: 'politeness', runtime: 'python' } },
      passes: { reply: { score: 1, passed: true, reason: 'courteous' } },
      fails: { reply: { score: 0.25, passed: false, reason: 'no greeting' }, reason: 'not_passed' },
    },
  },
  tool_call_assertion: {
    summary:
      'Passes when the successful tool calls have the presence, number, arguments and order of the config.',
    rules: [
      [
        'Matches',
        'Successful calls of `tool_name` (default: of every tool) whose arguments contain `arguments_contain`: objects by subset, arrays by distinct elements in any order, everything else deep-equal.',
      ],
      [
        'Presence',
        'A match is needed when `must_call` is true, or when a name or arguments are given without a count; `must_call: false` forbids one. Reasons, in this order: `call_missing`, `call_forbidden`, `call_count`, `call_order`.',
      ],
    ],
    example: {
      validator: {
        config: { tool_name: 'search', arguments_contain: { query: 'refund' }, max_count: 2, min_count: 1 },
      },
      passes: { calls: [{ tool_name: 'search', arguments: { query: 'refund', limit: 5 } }] },
      fails: { calls: [{ tool_name: 'search', arguments: { query: 'returns' } }], reason: 'call_count' },
    },
  },
  trajectory_match: {
    summary: 'Passes when the tool calls are the expected steps, as `mode` compares them.',
    expected: 'a JSON array of tool names or of objects {tool_name, arguments}',
    rules: [
      [
        'Calls',
        'Successful calls, with `include_failed` all; `submit` counts only if the steps name it. `arguments` compares those of steps that give any.',
      ],
      ['Expected', 'Either `config.expected`, as a list, or `expected_from`, as JSON text.'],
    ],
    example: {
      validator: {
        config: {
          mode: 'superset',
          expected: ['read_file', { tool_name: 'write_file', arguments: { path: 'a.txt' } }],
          arguments: 'contains',
        },
      },
      passes: {
        calls: [
          { tool_name: 'list_files' },
          { tool_name: 'read_file', arguments: { path: 'b.txt' } },
          { tool_name: 'write_file', arguments: { path: 'a.txt', content: 'x' } },
        ],
      },
      fails: {
        calls: [{ tool_name: 'write_file', arguments: { path: 'a.txt', content: 'x' } }],
        reason: 'trajectory_mismatch',
      },
    },
  },
} as const satisfies Record<string, ValidatorEntry>;
