import { list } from '../../decode/collections.js';
import { integer, number } from '../../decode/numbers.js';
import { type Field, optional, type Shape } from '../../decode/shape.js';
import { choice, oneOf } from '../../decode/text.js';
import {
  COMPARISON_CHOICES,
  LIST_MODE_CHOICES,
  SCALE_CHOICES,
  SMOOTHING_CHOICES,
  STEP_CHOICES,
  TOKENIZER_CHOICES,
  UNIT_CHOICES,
  VARIANT_CHOICES,
} from '../../reference/choices.js';
import { CONFIG_DEFAULTS, OLDER_TOLERANCE, PIPELINE_DEFAULT } from '../defaults.js';
import type { NormalizationStep, Tokenizer } from '../validator-configs.js';
import {
  config,
  configText,
  delimiterText,
  extraction,
  flag,
  separatorText,
  share,
  tolerance,
} from './config-fields.js';

const FOLDS = 'Whether upper and lower case count as the same.';
const COLLAPSES = 'Whether both sides are trimmed and runs of white space become one space.';
const PASSES_FROM = 'The score from which the validator passes.';

/** Steps of a pipeline. None at all is a choice too, and not the default. */
function steps(description: string): Field<NormalizationStep[]> {
  const shape: Shape<NormalizationStep[]> = { ...list(choice(STEP_CHOICES)), emptyAs: 'value' };
  return optional(shape, description, { default: [...PIPELINE_DEFAULT] });
}

function affix() {
  return {
    case_insensitive: flag(false, FOLDS),
    trim: flag(false, 'Whether white space around the output is ignored.'),
  };
}

function graded(threshold: number) {
  return {
    threshold: share(threshold, PASSES_FROM),
    case_insensitive: flag(false, FOLDS),
    normalize: flag(false, COLLAPSES),
  };
}

function tokenizer(fallback: Tokenizer): Field<Tokenizer> {
  return optional(choice(TOKENIZER_CHOICES), 'How both sides become tokens.', { default: fallback });
}

/** The position of the number in the text. */
function numberSource() {
  return {
    extract: optional(
      extraction(),
      'Which number of a longer text counts; without it the text itself is the number.',
    ),
    answer_delimiter: optional(separatorText(), 'The text before the number, for `extract: delimiter`.', {
      default: CONFIG_DEFAULTS.numeric_match.answer_delimiter,
    }),
    extract_number: flag(false, 'Older: the first number, every comma dropped. Write `extract` instead.'),
  };
}

const {
  fuzzy_match,
  length_range,
  list_match,
  math_equivalence,
  bleu_score,
  rouge_score,
  chrf_score,
  csv_match,
} = CONFIG_DEFAULTS;

/** The configs of the types that judge a text. */
export const TEXT_CONFIGS = {
  exact_match: config<'exact_match'>({}),
  contains: config<'contains'>({}),
  not_contains: config<'not_contains'>({ case_insensitive: flag(false, FOLDS) }),
  starts_with: config<'starts_with'>(affix()),
  ends_with: config<'ends_with'>(affix()),
  regex_match: config<'regex_match'>({}),
  boolean_assert: config<'boolean_assert'>({}),
  normalized_match: config<'normalized_match'>({
    pipeline: steps('Steps applied to both sides, in order.'),
    normalizations: steps('Another name of `pipeline`.'),
  }),
  fuzzy_match: config<'fuzzy_match'>({
    ...graded(fuzzy_match.threshold),
    relative_to: optional(choice(SCALE_CHOICES), 'The lengths that the edit distance is divided by.', {
      default: fuzzy_match.relative_to,
    }),
  }),
  length_range: config<'length_range'>({
    unit: optional(choice(UNIT_CHOICES), 'The unit that is counted.', {
      default: length_range.unit,
    }),
    min: optional(integer({ min: 0 }), 'The least allowed. Written as 0, it lets empty output pass.'),
    max: optional(integer({ min: 0 }), 'The most allowed.'),
  }),
  list_match: config<'list_match'>({
    mode: optional(choice(LIST_MODE_CHOICES), 'Whether order counts.', { default: list_match.mode }),
    separator: optional(
      separatorText(),
      'The separator of items; default: line breaks if there are any, else commas.',
    ),
    threshold: share(list_match.threshold, PASSES_FROM),
    case_insensitive: flag(false, FOLDS),
  }),
  numeric_match: config<'numeric_match'>({
    absolute_tolerance: tolerance('The largest allowed difference.'),
    relative_tolerance: tolerance('The largest allowed difference as a share of the expected number.'),
    ...numberSource(),
    significant_digits: optional(integer({ min: 1, max: 100 }), 'Digits both sides are rounded to.'),
    tolerance_mode: optional(
      oneOf(['relative', 'absolute']),
      `Older: what \`tolerance\` is; default ${OLDER_TOLERANCE.tolerance_mode}.`,
    ),
    tolerance: tolerance(`Older: the tolerance; default ${OLDER_TOLERANCE.tolerance}.`),
  }),
  number_range: config<'number_range'>({
    min: optional(number(), 'The lower bound.'),
    max: optional(number(), 'The upper bound.'),
    exclusive_min: flag(false, 'Whether the lower bound itself is outside.'),
    exclusive_max: flag(false, 'Whether the upper bound itself is outside.'),
    ...numberSource(),
  }),
  math_equivalence: config<'math_equivalence'>({
    extract_answer: flag(false, 'Whether only the text after the last delimiter counts.'),
    answer_delimiter: optional(separatorText(), 'The delimiter of `extract_answer`.', {
      default: math_equivalence.answer_delimiter,
    }),
    comparison_mode: optional(choice(COMPARISON_CHOICES), 'How expressions are compared.', {
      default: math_equivalence.comparison_mode,
    }),
    numeric_fallback: flag(true, 'Whether expressions that differ as symbols may agree as numbers.'),
    tolerance: optional(number({ min: 0 }), 'The largest allowed difference of two numbers.', {
      default: math_equivalence.tolerance,
    }),
  }),
  token_f1: config<'token_f1'>({
    threshold: share(CONFIG_DEFAULTS.token_f1.threshold, PASSES_FROM),
    normalize: flag(false, 'Whether both sides are trimmed, lower-cased and collapsed first.'),
    remove_punctuation: flag(false, 'Whether punctuation is removed first.'),
    remove_articles: flag(false, 'Whether a, an and the are removed first.'),
  }),
  bleu_score: config<'bleu_score'>({
    ...graded(bleu_score.threshold),
    max_ngram: optional(integer({ min: 1, max: 10 }), 'The longest n-grams that count.', {
      default: bleu_score.max_ngram,
    }),
    smoothing: optional(choice(SMOOTHING_CHOICES), 'The score of unmatched orders.', {
      default: bleu_score.smoothing,
    }),
    tokenizer: tokenizer(bleu_score.tokenizer),
  }),
  rouge_score: config<'rouge_score'>({
    ...graded(rouge_score.threshold),
    variant: optional(choice(VARIANT_CHOICES), 'The compared sequences.', {
      default: rouge_score.variant,
    }),
    beta: optional(number({ min: 0, aboveMin: true }), 'The weight of recall.', {
      default: rouge_score.beta,
    }),
    tokenizer: tokenizer(rouge_score.tokenizer),
    stemmer: flag(false, 'Whether tokens are stemmed as rouge_score does; needs `tokenizer: rouge`.'),
  }),
  chrf_score: config<'chrf_score'>({
    ...graded(chrf_score.threshold),
    char_order: optional(integer({ min: 1, max: 10 }), 'The longest character n-grams that count.', {
      default: chrf_score.char_order,
    }),
    beta: optional(number({ min: 0, aboveMin: true }), 'The weight of recall.', { default: chrf_score.beta }),
  }),
  json_schema: config<'json_schema'>({}),
  json_path_match: config<'json_path_match'>({}),
  xml_valid: config<'xml_valid'>({
    root_element: optional(configText(), 'The name the root element must have.'),
  }),
  csv_match: config<'csv_match'>({
    delimiter: optional(delimiterText(), 'The character between cells.', { default: csv_match.delimiter }),
    header: flag(true, 'Whether the first row names the columns.'),
    ignore_row_order: flag(false, 'Whether rows may come in any order.'),
    ignore_column_order: flag(false, 'Whether columns may come in any order.'),
    trim_cells: flag(true, 'Whether white space around cells is ignored.'),
    threshold: share(csv_match.threshold, PASSES_FROM),
  }),
};
