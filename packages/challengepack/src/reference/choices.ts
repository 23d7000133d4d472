import type { HarnessAdapter, HarnessTrust } from '../evaluation-spec/harness.js';
import type {
  DistanceScale,
  NormalizationStep,
  NumberExtraction,
  PostconditionConfig,
  ReportFormat,
  ScriptRuntime,
  Smoothing,
  Tokenizer,
  ValidatorConfigs,
} from '../evaluation-spec/validator-configs.js';

type Choices<V extends string> = { readonly [C in V]: string };

export const EXTRACTION_CHOICES: Choices<NumberExtraction> = {
  only: 'The one number of the text; it may be stated again, but no other.',
  first: 'The first number of the text.',
  last: 'The last number of the text.',
  delimiter:
    'The one number of the first line with anything on it behind the last `answer_delimiter`; without a delimiter of the whole text.',
};

export const SMOOTHING_CHOICES: Choices<Smoothing> = {
  none: 'Nothing: one order without a match makes the score 0.',
  nltk_method1: 'An order without a match counts 0.1 / total (NLTK method1).',
  method2: 'Every order above 1 counts (matches + 1) / (total + 1) (NLTK method2).',
  method3: 'The k-th order without a match counts 1 / (2^k · total) (NLTK method3).',
  method1: 'Older, and not the method1 of NLTK: an order above 1 without a match counts 1 / (total + 1).',
};

export const TOKENIZER_CHOICES: Choices<Tokenizer> = {
  whitespace: 'Runs without white space, case kept.',
  rouge: 'Lower-case runs of ASCII letters and digits, as rouge_score splits.',
  '13a': 'mteval-v13a as sacreBLEU splits: punctuation apart, case kept.',
};

export const SCALE_CHOICES: Choices<DistanceScale> = {
  sum: 'Both lengths together.',
  longest: 'The longer length.',
};

export const UNIT_CHOICES: Choices<ValidatorConfigs['length_range']['unit']> = {
  characters: 'Code points.',
  words: 'Runs without white space.',
  lines: 'Line breaks + 1, a final break not counted.',
};

export const LIST_MODE_CHOICES: Choices<ValidatorConfigs['list_match']['mode']> = {
  set: 'Order and repetition do not count.',
  ordered: 'The longest common subsequence counts.',
};

export const COMPARISON_CHOICES: Choices<ValidatorConfigs['math_equivalence']['comparison_mode']> = {
  symbolic: 'As quotients of polynomials with exact coefficients.',
  numeric: 'As doubles within `tolerance`; a symbol cannot be read.',
};

export const VARIANT_CHOICES: Choices<ValidatorConfigs['rouge_score']['variant']> = {
  'rouge-1': 'Common tokens.',
  'rouge-2': 'Common pairs of neighbouring tokens.',
  'rouge-l': 'The longest common subsequence of tokens.',
};

export const MATCH_MODE_CHOICES: Choices<ValidatorConfigs['file_content_match']['match_mode']> = {
  contains: 'The expected text occurs in the content.',
  exact: 'The content is the expected text.',
  regex: 'The expected RE2 expression matches somewhere.',
  not_contains: 'The expected text does not occur.',
  json_equal: 'Both are the same JSON value.',
};

export const SCORING_CHOICES: Choices<ValidatorConfigs['code_execution']['scoring']> = {
  fraction_passed: 'Passed tests / all tests.',
  all_or_nothing: '1 if every test passed, else 0.',
};

export const ADAPTER_CHOICES: Choices<HarnessAdapter> = {
  pytest: 'pytest, in the judge; the code runs in a process of its own.',
  unittest: 'unittest of Python, likewise.',
  calls: 'A JSON list of calls of Python functions, and what each returns or raises.',
  cases: 'A JSON list of inputs of a program, and what it prints.',
  node_test: 'node:test of Node 20 or newer; the code runs in a process of its own.',
  go_test: 'go test of Go 1.19 or newer; the code is compiled and runs apart from the tests.',
  cargo_test:
    'Tests of Rust 1.63 or newer by an interface of plain data; the crate is compiled and runs apart from them.',
};

export const TRUST_CHOICES: Choices<HarnessTrust> = {
  equality: 'Whether its own objects are equal to, less than or contain others.',
  arguments: 'What lists, dicts and sets (Go: slices, maps, pointers) that it was given hold afterwards.',
};

export const PHASES_CHOICES: Choices<NonNullable<ValidatorConfigs['code_execution']['phases']>> = {
  mean: 'The mean of the phases that were graded; of metrics too, where one that is missing is 0.',
  final: 'The last phase that was graded.',
};

export const REPORT_CHOICES: Choices<ReportFormat> = {
  reward: 'One number from 0 to 1, as text.',
  reward_json:
    'A JSON object: each member is a metric from 0 to 1, which a dimension of source `report` can read.',
  ctrf: 'Common Test Report Format, JSON.',
  junit: 'JUnit XML.',
};

export const RUNTIME_CHOICES: Choices<ScriptRuntime> = {
  python: '`python3` of the sandbox.',
  node: '`node` of the sandbox.',
};

export const CONDITION_CHOICES: Choices<PostconditionConfig['condition']> = {
  exists: 'It is there.',
  not_exists: 'It is not there.',
  contains: 'The text `value` occurs in the content.',
  not_contains: 'The text `value` does not occur in the content.',
  regex_match: 'The RE2 expression `value` matches somewhere in the content.',
  equals: 'The content is `value`: a text as it is, anything else as JSON.',
  json_path_match: 'The first node at `json_path` equals `value`.',
};

export const ORDER_CHOICES: Choices<ValidatorConfigs['tool_call_assertion']['order_mode']> = {
  subsequence: 'Other calls may come between.',
  exact: 'The successful calls are these and no other.',
};

export const TRAJECTORY_CHOICES: Choices<ValidatorConfigs['trajectory_match']['mode']> = {
  strict: 'The calls are the steps, in their order.',
  unordered: 'Calls and steps match one to one, in any order.',
  subset: 'Every call matches a step of its own.',
  superset: 'Every step matches a call of its own.',
};

export const ARGUMENT_CHOICES: Choices<ValidatorConfigs['trajectory_match']['arguments']> = {
  ignore: 'They do not count.',
  exact: 'They are deep-equal.',
  contains: 'Those of the call contain those of the step.',
};

export const STEP_CHOICES: Choices<NormalizationStep> = {
  trim: 'White space at both ends goes.',
  lowercase: 'Full case folding: ß becomes ss.',
  collapse_whitespace: 'Runs of white space become one space.',
  strip_punctuation: 'Characters of the categories P and S go.',
  strip_currency: '$ € £ ¥ ₹, USD, EUR, GBP, JPY and INR go.',
  strip_formatting: 'Commas, parentheses and square brackets go.',
  normalize_unicode: 'Unicode NFKC.',
  remove_articles: 'Lower-case a, an and the become a space.',
  sort_words: 'Words are sorted by code point.',
  sort_lines: 'Lines are sorted by code point.',
};
