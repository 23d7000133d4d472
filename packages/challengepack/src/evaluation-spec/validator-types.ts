import type { ValidatorType } from './validator-configs.js';

/**
 * The target of a validator type: a text any reference finds, one captured file, one listing, either of these two, the
 * tool calls of the attempt, or all of its evidence.
 */
export type TargetKind = 'text' | 'capture' | 'listing' | 'capture_or_listing' | 'tool_calls' | 'evidence';

/** The use of `expected_from` by a type; `or_config` requires exactly one of it and `config.expected`. */
type ExpectedUse = 'required' | 'forbidden' | 'ignored' | 'or_config';

export interface ValidatorTypeRule {
  target: TargetKind;
  /** The command judges the whole workspace: a target only names a file to show beside its result. */
  isTargetOptional?: boolean;
  expectedFrom: ExpectedUse;
  /** True when the type cannot do without a config. */
  needsConfig: boolean;
  /** Config members of which one must be given, or the validator asserts nothing. */
  assertsBy: readonly string[];
}

const TEXT: ValidatorTypeRule = {
  target: 'text',
  expectedFrom: 'required',
  needsConfig: false,
  assertsBy: [],
};
const RANGE: ValidatorTypeRule = {
  ...TEXT,
  expectedFrom: 'forbidden',
  needsConfig: true,
  assertsBy: ['min', 'max'],
};

export const VALIDATOR_TYPES: Record<ValidatorType, ValidatorTypeRule> = {
  exact_match: TEXT,
  contains: TEXT,
  not_contains: TEXT,
  starts_with: TEXT,
  ends_with: TEXT,
  regex_match: TEXT,
  boolean_assert: TEXT,
  normalized_match: TEXT,
  fuzzy_match: TEXT,
  length_range: RANGE,
  list_match: TEXT,
  numeric_match: TEXT,
  number_range: RANGE,
  math_equivalence: TEXT,
  token_f1: TEXT,
  bleu_score: TEXT,
  rouge_score: TEXT,
  chrf_score: TEXT,
  json_schema: TEXT,
  json_path_match: TEXT,
  xml_valid: { ...TEXT, expectedFrom: 'forbidden' },
  csv_match: TEXT,
  file_exists: { ...TEXT, target: 'capture_or_listing', expectedFrom: 'ignored' },
  file_content_match: { ...TEXT, target: 'capture' },
  file_json_schema: { ...TEXT, target: 'capture', expectedFrom: 'ignored', needsConfig: true },
  directory_structure: {
    target: 'listing',
    expectedFrom: 'ignored',
    needsConfig: true,
    assertsBy: ['required_files', 'forbidden_files', 'required_directories'],
  },
  postcondition: {
    target: 'capture_or_listing',
    expectedFrom: 'forbidden',
    needsConfig: true,
    assertsBy: [],
  },
  code_execution: {
    target: 'capture',
    isTargetOptional: true,
    expectedFrom: 'ignored',
    needsConfig: true,
    assertsBy: [],
  },
  script: { target: 'evidence', expectedFrom: 'forbidden', needsConfig: true, assertsBy: [] },
  tool_call_assertion: {
    target: 'tool_calls',
    expectedFrom: 'forbidden',
    needsConfig: true,
    assertsBy: [
      'tool_name',
      'must_call',
      'count',
      'min_count',
      'max_count',
      'arguments_contain',
      'ordered_tools',
    ],
  },
  trajectory_match: { ...TEXT, target: 'tool_calls', expectedFrom: 'or_config' },
};

/** Every type, in the order of the table. */
export const VALIDATOR_TYPE_NAMES = Object.keys(VALIDATOR_TYPES) as ValidatorType[];

/** True when the type judges a file or listing, which needs a workspace. */
export function isFileType(type: ValidatorType): boolean {
  const { target } = VALIDATOR_TYPES[type];
  return target !== 'text' && target !== 'tool_calls' && target !== 'evidence';
}
