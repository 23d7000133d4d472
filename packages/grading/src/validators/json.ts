import {
  compareDecimals,
  decimalIn,
  type FirstNodeComparator,
  type JsonPathAssertion,
  jsonEquals,
  jsonText,
  readJson,
} from '@agentclash/challengepack';
import { fail, type Judgement, PASS, passIf } from './judgement.js';
import { textValidator } from './text-target.js';

/** Also judges captured files, whose schema is in the config. */
const jsonSchema = textValidator<'json_schema' | 'file_json_schema'>((actual, { expected: obeys }) => {
  const reading = readJson(actual);
  return reading.ok ? passIf(obeys(reading.value), 'schema_violation') : fail('unparsable_output');
});

const jsonPathMatch = textValidator<'json_path_match'>((actual, { expected }) => {
  const reading = readJson(actual);
  return reading.ok ? judgeNodes(reading.value, expected) : fail('unparsable_output');
});

/** The comparison of the first node with the asserted value. */
const COMPARATORS: { readonly [C in FirstNodeComparator]: (node: unknown, value: unknown) => boolean } = {
  equals: jsonEquals,
  not_equals: (node, value) => !jsonEquals(node, value),
  greater_than: (node, value) => difference(node, value) > 0,
  less_than: (node, value) => difference(node, value) < 0,
};

/** Grades a JSON value by an assertion about the nodes that its path selects. */
export function judgeNodes(value: unknown, assertion: JsonPathAssertion): Judgement {
  if (assertion.comparator === 'contains') return judgeAnyNode(value, assertion);
  for (const node of assertion.path.select(value)) return judgeFirstNode(node, assertion);
  return fail('path_not_found');
}

function judgeFirstNode(
  node: unknown,
  assertion: Exclude<JsonPathAssertion, { comparator: 'contains' }>,
): Judgement {
  switch (assertion.comparator) {
    case 'exists':
      return PASS;
    case 'matches':
      return passIf(typeof node === 'string' && assertion.regex.test(node), 'no_match');
    default:
      return passIf(COMPARATORS[assertion.comparator](node, assertion.value), 'no_match');
  }
}

function judgeAnyNode(
  value: unknown,
  assertion: Extract<JsonPathAssertion, { comparator: 'contains' }>,
): Judgement {
  let reason = 'path_not_found';
  for (const node of assertion.path.select(value)) {
    if (holds(node, assertion.value)) return PASS;
    reason = 'no_match';
  }
  return fail(reason);
}

/** True when a string, list or any other value holds the asserted one, each in its way. */
function holds(node: unknown, value: unknown): boolean {
  if (Array.isArray(node)) return node.some((element) => jsonEquals(element, value));
  if (typeof node === 'string' && typeof value === 'string') return node.includes(value);
  return jsonText(node).includes(jsonText(value));
}

/** NaN unless both are numbers. */
function difference(node: unknown, value: unknown): number {
  const [left, right] = [decimalIn(node), decimalIn(value)];
  return left === null || right === null ? Number.NaN : compareDecimals(left, right);
}

export const JSON_VALUES = {
  json_schema: jsonSchema,
  file_json_schema: jsonSchema,
  json_path_match: jsonPathMatch,
};
