import { compileRegex, type Regex } from '../text/regex.js';
import { trim } from '../text/white-space.js';
import { readJson } from '../values/exact-json.js';
import { decimalIn, isExactObject } from '../values/exact-number.js';
import { compileJsonPath, type JsonPath } from './json-path.js';

const COMPARATORS = [
  'equals',
  'not_equals',
  'greater_than',
  'less_than',
  'matches',
  'exists',
  'contains',
] as const;
type JsonPathComparator = (typeof COMPARATORS)[number];

/** The assertions of `json_path_match` about the nodes that a path selects. */
export type JsonPathAssertion =
  | { readonly comparator: 'exists'; readonly path: JsonPath }
  | { readonly comparator: 'matches'; readonly path: JsonPath; readonly regex: Regex }
  | { readonly comparator: 'contains'; readonly path: JsonPath; readonly value: unknown }
  | { readonly comparator: FirstNodeComparator; readonly path: JsonPath; readonly value: unknown };

/** The comparators of the first node with a value. */
export type FirstNodeComparator = Exclude<JsonPathComparator, 'exists' | 'matches' | 'contains'>;

const MEMBERS = new Set(['path', 'comparator', 'value']);

/** Reads `$path` (it exists) or `{path, comparator?, value?}`; null when any part of it is wrong. */
export function readJsonPathAssertion(text: string): JsonPathAssertion | null {
  const trimmed = trim(text);
  if (trimmed.startsWith('$')) return assertion('exists', { path: trimmed });
  const reading = readJson(trimmed);
  if (!reading.ok || !isExactObject(reading.value)) return null;
  const { path, comparator: written, value = undefined } = reading.value;
  if (Object.keys(reading.value).some((key) => !MEMBERS.has(key)) || typeof path !== 'string') return null;
  const comparator = comparatorOf(written, value);
  return comparator === undefined ? null : assertion(comparator, { path, value });
}

/** The assertion that the first node is deep-equal to `value`; null for a broken path. */
export function equalsAtPath(path: string, value: unknown): JsonPathAssertion | null {
  return assertion('equals', { path, value });
}

function comparatorOf(written: unknown, value: unknown): JsonPathComparator | undefined {
  if (written === undefined) return value === undefined || value === null ? 'exists' : 'equals';
  return COMPARATORS.find((comparator) => comparator === written);
}

function assertion(
  comparator: JsonPathComparator,
  operands: { path: string; value?: unknown },
): JsonPathAssertion | null {
  const path = compileJsonPath(operands.path);
  const { value } = operands;
  if (path === null) return null;
  if (comparator === 'exists') return { comparator, path };
  if (value === undefined) return null;
  if (comparator === 'matches') {
    const regex = typeof value === 'string' ? compileRegex(value) : null;
    return regex === null ? null : { comparator, path, regex };
  }
  const isOrdering = comparator === 'greater_than' || comparator === 'less_than';
  return isOrdering && decimalIn(value) === null ? null : { comparator, path, value };
}
