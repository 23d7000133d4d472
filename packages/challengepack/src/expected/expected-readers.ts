import type { ExpectedToolCall, ValidatorConfigs } from '../evaluation-spec/validator-configs.js';
import { compileJsonSchema, type SchemaCheck } from '../json-schema/json-schema.js';
import { compileRegex, type Regex } from '../text/regex.js';
import type { Decimal } from '../values/decimal.js';
import { readJson } from '../values/exact-json.js';
import { isExactObject } from '../values/exact-number.js';
import { readBooleanText } from './boolean-text.js';
import { type CsvRow, readCsv } from './csv.js';
import { type Expected, expected, expectedOr, faulty } from './expected.js';
import { type JsonPathAssertion, readJsonPathAssertion } from './json-path-assertion.js';
import { ITEMS_MAX } from './limits.js';
import { readListItems } from './list-items.js';
import { MathTarget } from './math/equivalence.js';
import { MathError } from './math/math-error.js';
import type { WorkBudget } from './math/work.js';
import { readNumber } from './number-extraction.js';

/** The content that `file_content_match` compares with, by its mode. */
type ExpectedContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'regex'; readonly regex: Regex }
  | { readonly kind: 'json'; readonly value: unknown };

/** The values that expected texts become, by validator type. */
export interface ExpectedValues {
  exact_match: string;
  contains: string;
  not_contains: string;
  starts_with: string;
  ends_with: string;
  regex_match: Regex;
  boolean_assert: boolean;
  normalized_match: string;
  fuzzy_match: string;
  list_match: readonly string[];
  numeric_match: Decimal;
  math_equivalence: MathTarget;
  token_f1: string;
  bleu_score: readonly string[];
  rouge_score: readonly string[];
  chrf_score: readonly string[];
  json_schema: SchemaCheck;
  json_path_match: JsonPathAssertion;
  csv_match: readonly CsvRow[];
  file_content_match: ExpectedContent;
  trajectory_match: readonly ExpectedToolCall[];
}

/** A type that compares with an expected text. */
export type ExpectingType = keyof ExpectedValues;

type Reader<T extends ExpectingType> = (
  text: string,
  config: ValidatorConfigs[T],
  allowance?: WorkBudget,
) => Expected<ExpectedValues[T]>;

/** Reads the expected text of each type; the same when a pack is published and when an attempt is scored. */
export const EXPECTED_READERS: { readonly [T in ExpectingType]: Reader<T> } = {
  exact_match: expected,
  contains: expected,
  not_contains: readForbidden,
  starts_with: expected,
  ends_with: expected,
  regex_match: (text) => expectedOr(compileRegex(text), 'invalid_regex'),
  boolean_assert: (text) => expectedOr(readBooleanText(text)),
  normalized_match: expected,
  fuzzy_match: expected,
  list_match: (text, config) => limited(readListItems(text, config.separator)),
  numeric_match: readStatedNumber,
  math_equivalence: readMathTarget,
  token_f1: expected,
  bleu_score: (text) => expectedOr(readReferenceList(text)),
  rouge_score: (text) => expectedOr(readReferenceList(text)),
  chrf_score: (text) => expectedOr(readReferenceList(text)),
  json_schema: readSchema,
  json_path_match: (text) => expectedOr(readJsonPathAssertion(text)),
  csv_match: readTable,
  file_content_match: (text, config) => CONTENT_READERS[config.match_mode](text),
  trajectory_match: readSteps,
};

const CONTENT_READERS: {
  readonly [M in ValidatorConfigs['file_content_match']['match_mode']]: (
    text: string,
  ) => Expected<ExpectedContent>;
} = {
  contains: (text) => expected({ kind: 'text', text }),
  exact: (text) => expected({ kind: 'text', text }),
  not_contains: (text) => (text === '' ? faulty('empty_expected') : expected({ kind: 'text', text })),
  regex: (text) => {
    const regex = compileRegex(text);
    return regex === null ? faulty('invalid_regex') : expected({ kind: 'regex', regex });
  },
  json_equal: (text) => {
    const reading = readJson(text);
    return reading.ok ? expected({ kind: 'json', value: reading.value }) : faulty('invalid_expected');
  },
};

function readMathTarget(
  text: string,
  config: ValidatorConfigs['math_equivalence'],
  allowance?: WorkBudget,
): Expected<MathTarget> {
  try {
    return expected(MathTarget.read(text, config, allowance));
  } catch (error) {
    if (!(error instanceof MathError)) throw error;
    return faulty(error.code === 'division_by_zero' ? 'division_by_zero' : 'invalid_expected');
  }
}

function readStatedNumber(text: string, config: ValidatorConfigs['numeric_match']): Expected<Decimal> {
  const reading = readNumber(text, config);
  return reading.kind === 'number' ? expected(reading.value) : faulty('invalid_expected');
}

function readForbidden(text: string): Expected<string> {
  return text === '' ? faulty('empty_expected') : expected(text);
}

function readSchema(text: string): Expected<SchemaCheck> {
  const reading = readJson(text);
  return reading.ok ? expectedOr(compileJsonSchema(reading.value)) : faulty('invalid_expected');
}

function readTable(text: string, { delimiter, header }: ValidatorConfigs['csv_match']): Expected<CsvRow[]> {
  const rows = readCsv(text, delimiter);
  if (rows === null) return faulty('invalid_expected');
  return limited(rows, ITEMS_MAX + (header ? 1 : 0));
}

function readSteps(text: string): Expected<ExpectedToolCall[]> {
  const steps = readTrajectory(text);
  return steps === null ? faulty('invalid_expected') : limited(steps);
}

function limited<T>(items: T[], limit = ITEMS_MAX): Expected<T[]> {
  return items.length > limit ? faulty('input_too_large') : expected(items);
}

/**
 * The reference texts that an expected text names: a JSON array of strings, or else the one text itself.
 * Null for an array that is empty or holds anything but strings.
 */
export function readReferenceList(text: string): string[] | null {
  if (!text.startsWith('[')) return [text];
  const reading = readJson(text);
  if (!reading.ok || !Array.isArray(reading.value)) return [text];
  const items: unknown[] = reading.value;
  return items.length > 0 && items.every((item) => typeof item === 'string') ? items : null;
}

/** The steps that a JSON text lists, names or `{tool_name, arguments?}`; null when it is anything else. */
function readTrajectory(text: string): ExpectedToolCall[] | null {
  const reading = readJson(text);
  if (!reading.ok || !Array.isArray(reading.value)) return null;
  const steps = reading.value.map(readStep);
  return steps.every((step) => step !== null) ? steps : null;
}

function readStep(step: unknown): ExpectedToolCall | null {
  if (typeof step === 'string') return isName(step) ? { tool_name: step } : null;
  if (!isExactObject(step) || !isName(step.tool_name)) return null;
  if (Object.keys(step).some((key) => key !== 'tool_name' && key !== 'arguments')) return null;
  if (step.arguments === undefined) return { tool_name: step.tool_name };
  return isExactObject(step.arguments) ? { tool_name: step.tool_name, arguments: step.arguments } : null;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
