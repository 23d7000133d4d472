import type { FieldPath } from '../../decode/field-path.js';
import { compileJsonPath } from '../../expected/json-path.js';
import { schemaProblem } from '../../json-schema/json-schema.js';
import { compileRegex } from '../../text/regex.js';
import type { ConfigDraft, ValidatorDraft } from '../authored.js';
import { CONFIG_DEFAULTS } from '../defaults.js';
import type { PostconditionConfig, ValidatorType } from '../validator-configs.js';
import { VALIDATOR_TYPES } from '../validator-types.js';
import type { SpecCheck } from './spec-check.js';
import { checkTestRun } from './test-run.js';

const { answer_delimiter: DEFAULT_DELIMITER } = CONFIG_DEFAULTS.numeric_match;

type ConfigCheck<T extends ValidatorType> = (check: SpecCheck, config: ConfigDraft<T>, at: FieldPath) => void;

/** Rules between the members of one type's config; what holds for a single member is checked when it is decoded. */
const CONFIG_CHECKS: { [T in ValidatorType]?: ConfigCheck<T> } = {
  normalized_match: checkSteps,
  length_range: checkRange,
  number_range: checkNumberRange,
  numeric_match: checkNumber,
  csv_match: checkDelimiter,
  bleu_score: checkSmoothing,
  rouge_score: checkStemmer,
  file_json_schema: checkSchema,
  postcondition: checkPostcondition,
  code_execution: checkTestRun,
  tool_call_assertion: checkToolCallAssertion,
};

/** Checks a validator's config as a whole: that it is there when needed, asserts something and agrees with itself. */
export function checkConfig(check: SpecCheck, validator: ValidatorDraft, at: FieldPath): void {
  if (validator.type === undefined) return;
  const configAt = at.field('config');
  if (check.isFaulty(configAt)) return;
  const { needsConfig, assertsBy } = VALIDATOR_TYPES[validator.type];
  if (needsConfig && !assertsSomething(check, { config: validator.config, assertsBy }, configAt)) {
    check.report('required', configAt, {
      message:
        assertsBy.length > 0 ? `give at least one of ${assertsBy.join(', ')}` : 'this type needs a config',
    });
  }
  if (validator.config !== undefined) checkMembers(check, validator, configAt);
}

/** Looks the rule up by the validator's own type, which is what makes the config's type fit. */
function checkMembers<T extends ValidatorType>(
  check: SpecCheck,
  validator: { type?: T | undefined; config?: ConfigDraft<T> | undefined },
  at: FieldPath,
): void {
  if (validator.type === undefined || validator.config === undefined) return;
  CONFIG_CHECKS[validator.type]?.(check, validator.config, at);
}

function assertsSomething(
  check: SpecCheck,
  given: { config: object | undefined; assertsBy: readonly string[] },
  at: FieldPath,
): boolean {
  const members = new Map(Object.entries(given.config ?? {}));
  if (given.config === undefined) return false;
  if (given.assertsBy.length === 0) return true;
  return given.assertsBy.some((name) => {
    const value: unknown = members.get(name);
    return Array.isArray(value) ? value.length > 0 : check.isWritten(value, at.field(name));
  });
}

function checkSteps(check: SpecCheck, config: ConfigDraft<'normalized_match'>, at: FieldPath): void {
  const other = at.field('normalizations');
  if (config.pipeline !== undefined && check.isWritten(config.normalizations, other)) {
    check.report('contradiction', other, { message: 'pipeline and normalizations mean the same: give one' });
  }
}

function checkRange(
  check: SpecCheck,
  config: ConfigDraft<'length_range' | 'number_range'>,
  at: FieldPath,
): void {
  if (config.min === undefined || config.max === undefined || config.min <= config.max) return;
  check.report('out_of_range', at.field('max'), { message: 'max is below min' });
}

function checkNumberRange(check: SpecCheck, config: ConfigDraft<'number_range'>, at: FieldPath): void {
  checkRange(check, config, at);
  checkExtraction(check, config, at);
}

function checkNumber(check: SpecCheck, config: ConfigDraft<'numeric_match'>, at: FieldPath): void {
  checkTolerances(check, config, at);
  checkExtraction(check, config, at);
}

/** The older key, and settings that have no effect. */
function checkExtraction(
  check: SpecCheck,
  config: ConfigDraft<'numeric_match' | 'number_range'>,
  at: FieldPath,
): void {
  const { extract, answer_delimiter, extract_number } = config;
  const isDelimiter = extract === 'delimiter' || check.isFaulty(at.field('extract'));
  const isChosen = answer_delimiter !== undefined && answer_delimiter !== DEFAULT_DELIMITER;
  if (isChosen && !isDelimiter) {
    check.report('value_ignored', at.field('answer_delimiter'), {
      message: 'only extract: delimiter reads this',
    });
  }
  if (!extract_number) return;
  const older = at.field('extract_number');
  if (check.isWritten(extract, at.field('extract'))) {
    check.report('contradiction', older, { message: 'extract replaces this: do not mix them' });
    return;
  }
  check.report('deprecated', older, {
    message:
      'this takes the first number, whatever follows it: write extract: only, or extract: first to keep that',
    suggestion: 'extract',
  });
}

function checkTolerances(check: SpecCheck, config: ConfigDraft<'numeric_match'>, at: FieldPath): void {
  if (config.absolute_tolerance === undefined && config.relative_tolerance === undefined) return;
  const older = (['tolerance_mode', 'tolerance'] as const).filter((name) => config[name] !== undefined);
  if (older.length === 0) return;
  check.report('contradiction', at, {
    message: `absolute_tolerance and relative_tolerance replace ${older.join(' and ')}: do not mix them`,
  });
}

function checkSmoothing(check: SpecCheck, { smoothing }: ConfigDraft<'bleu_score'>, at: FieldPath): void {
  if (smoothing !== 'method1') return;
  check.report('deprecated', at.field('smoothing'), {
    message:
      'this counts 1/(total + 1), which neither NLTK nor sacreBLEU does: write nltk_method1, method2 or method3',
  });
}

function checkStemmer(check: SpecCheck, config: ConfigDraft<'rouge_score'>, at: FieldPath): void {
  if (!config.stemmer || config.tokenizer === 'rouge' || check.isFaulty(at.field('tokenizer'))) return;
  check.report('value_ignored', at.field('stemmer'), { message: 'only tokenizer: rouge stems' });
}

function checkDelimiter(check: SpecCheck, config: ConfigDraft<'csv_match'>, at: FieldPath): void {
  if (config.delimiter === undefined || [...config.delimiter].length === 1) return;
  check.report('malformed', at.field('delimiter'), { message: 'a delimiter is one character' });
}

function checkSchema(check: SpecCheck, config: ConfigDraft<'file_json_schema'>, at: FieldPath): void {
  const problem = config.schema === undefined ? null : schemaProblem(config.schema);
  if (problem !== null) check.report('invalid_schema', at.field('schema'), { message: problem });
}

type Field = 'value' | 'json_path';

/** The fields that each condition takes beside itself; those that it needs are required when it is decoded. */
const TAKES: Record<PostconditionConfig['condition'], readonly Field[]> = {
  exists: [],
  not_exists: [],
  contains: ['value'],
  not_contains: ['value'],
  regex_match: ['value'],
  equals: ['value'],
  json_path_match: ['value', 'json_path'],
};

/** A postcondition has no field that its condition does not read, and a readable pattern or path. */
function checkPostcondition(check: SpecCheck, config: ConfigDraft<'postcondition'>, at: FieldPath): void {
  const { condition, value, json_path: path } = config;
  if (condition === undefined) return;
  for (const field of ['value', 'json_path'] as const) {
    if (config[field] === undefined || TAKES[condition].includes(field)) continue;
    check.report('contradiction', at.field(field), { message: `${condition} takes no ${field}` });
  }
  if (condition === 'regex_match' && typeof value === 'string' && compileRegex(value) === null) {
    check.report('invalid_regex', at.field('value'));
  }
  if (condition === 'json_path_match' && path !== undefined && compileJsonPath(path) === null) {
    check.report('malformed', at.field('json_path'), { message: 'this is not a JSONPath (RFC 9535)' });
  }
}

/** The counts, `must_call` and the order of one assertion must be able to hold together. */
function checkToolCallAssertion(
  check: SpecCheck,
  config: ConfigDraft<'tool_call_assertion'>,
  at: FieldPath,
): void {
  const { count, min_count: min, max_count: max } = config;
  if (count !== undefined && (min !== undefined || max !== undefined)) {
    check.report('contradiction', at.field('count'), { message: 'count is exact: give no bound beside it' });
  }
  if (min !== undefined && max !== undefined && min > max) {
    check.report('out_of_range', at.field('max_count'), { message: 'max_count is below min_count' });
  }
  if (contradictsCounts(config)) {
    check.report('contradiction', at.field('must_call'), { message: 'the counts contradict it' });
  }
  if (config.order_mode !== undefined && (config.ordered_tools?.length ?? 0) === 0) {
    check.require(undefined, at.field('ordered_tools'));
  }
}

function contradictsCounts(config: ConfigDraft<'tool_call_assertion'>): boolean {
  if (config.must_call === undefined) return false;
  const most = config.count ?? config.max_count ?? Number.POSITIVE_INFINITY;
  const least = config.count ?? config.min_count ?? 0;
  return config.must_call ? most < 1 : least > 0;
}
