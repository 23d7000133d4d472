import type { ExpectingType } from './expected-readers.js';
import type { ExpectedFault } from './faults.js';

/** What the expected text of a type must be, as the object of "expected …". A type without an entry takes any text. */
const FORMS: { readonly [T in ExpectingType]?: string } = {
  not_contains: 'text that is not empty',
  regex_match: 'an RE2 regular expression',
  boolean_assert: 'true, false, yes, no, 1 or 0',
  numeric_match: 'a number',
  math_equivalence: 'an expression',
  list_match: 'a JSON array, or items between separators',
  bleu_score: 'one text, or a JSON array of texts',
  rouge_score: 'one text, or a JSON array of texts',
  chrf_score: 'one text, or a JSON array of texts',
  json_schema: 'a JSON Schema as JSON text',
  json_path_match: 'a JSON object {path, comparator, value} as text, or a path that begins with $',
  csv_match: 'a CSV table',
  file_content_match: 'what match_mode compares with: text, an RE2 expression or JSON',
  trajectory_match: 'a JSON array of tool names or of objects {tool_name, arguments}',
};

const FAULTS: Partial<Record<ExpectedFault, string>> = {
  input_too_large: 'this is larger than the validator reads',
  division_by_zero: 'this divides by zero',
};

/** What is wrong with an expected text of the type, as a sentence without a full stop. */
export function expectedFaultText(type: ExpectingType, fault: ExpectedFault): string {
  return FAULTS[fault] ?? `expected ${FORMS[type] ?? 'text'}`;
}
