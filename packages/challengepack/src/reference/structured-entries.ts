import type { ValidatorEntry } from './validator-entry.js';

export const STRUCTURED_ENTRIES = {
  json_schema: {
    summary: 'Passes when the text is JSON that meets the expected JSON Schema.',
    expected: 'a JSON Schema as JSON text',
    rules: [
      [
        'Dialect',
        'Draft 2020-12, or draft-07 if `$schema` names it; formats are asserted; references (`$ref`, `$dynamicRef`, `$id`, anchors) stay within the schema; patterns are RE2; numbers are exact. Bounds and the test suite: JSON Schemas in the guide.',
      ],
      ['Extraction', 'None: code fences are not stripped.'],
    ],
    example: {
      validator: { expected_from: 'literal:{"type": "object", "required": ["city"]}' },
      passes: { output: '{"city": "Lima"}' },
      fails: { output: '{"village": "Lima"}', reason: 'schema_violation' },
    },
  },
  json_path_match: {
    summary: 'Passes when the text is JSON and what a JSONPath selects in it compares as expected.',
    expected: 'a JSON object {path, comparator, value} as text, or a path that begins with $',
    rules: [
      [
        'Comparators',
        '`equals` (the default with a value), `not_equals`, `greater_than`, `less_than`, `matches` (RE2) look at the first node; `exists` (the default without a value) and `contains` at any. Without a node every comparator fails with `path_not_found`.',
      ],
      ['Paths', 'RFC 9535; `-` may also be part of a dotted name.'],
      [
        'Writing it',
        'Quote the object as one text, as below. An expectation whose `value` is a YAML map with a member `value` is read as that member alone.',
      ],
    ],
    example: {
      validator: { expected_from: 'literal:{"path": "$.queue", "value": "billing"}' },
      passes: { output: '{"queue": "billing", "priority": 2}' },
      fails: { output: '{"queue": "sales"}', reason: 'no_match' },
    },
  },
  xml_valid: {
    summary:
      'Passes when the text is one well-formed XML 1.0 element tree, with the given root if there is one.',
    rules: [
      [
        'Rules',
        'The text is trimmed. No DOCTYPE, no entities but the five predefined ones, at most 256 levels.',
      ],
    ],
    example: {
      validator: { config: { root_element: 'feed' } },
      passes: { output: '<feed><entry/></feed>' },
      fails: { output: '<rss/>', reason: 'wrong_root' },
    },
  },
  csv_match: {
    summary: 'Scores the rows that two CSV tables share, and passes from the threshold.',
    expected: 'a CSV table',
    rules: [
      [
        'Formula',
        'Equal rows / rows of the longer table, by position, or as multisets with `ignore_row_order`; without rows on both sides 1. With a header, other columns score 0 (`header_mismatch`).',
      ],
      [
        'Cells',
        'RFC 4180; empty lines are skipped; cells are compared as texts, trimmed unless `trim_cells: false`. An open or misplaced quote is `unparsable_output`; a row with another number of cells equals nothing.',
      ],
    ],
    example: {
      validator: {
        expected_from: 'literal:city,country\nLima,Peru\nOslo,Norway',
        config: { ignore_row_order: true },
      },
      passes: { output: 'city,country\nOslo,Norway\nLima,Peru' },
      fails: { output: 'city,country\nLima,Peru', reason: 'below_threshold' },
    },
  },
} as const satisfies Record<string, ValidatorEntry>;
