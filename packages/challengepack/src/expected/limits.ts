import type { ValidatorType } from '../evaluation-spec/validator-configs.js';
import { countCodePoints } from '../text/code-points.js';

/** Bytes of UTF-8 in any one text. */
const TEXT_BYTES_MAX = 10 * 1024 * 1024;
/** Items of a list, rows of a table, tool calls. */
export const ITEMS_MAX = 10_000;

/** Tokens of a text whose n-grams are compared. */
export const TOKENS_MAX = 50_000;

const CODE_POINTS_MAX: Partial<Record<ValidatorType, number>> = {
  fuzzy_match: 100_000,
  chrf_score: 100_000,
  math_equivalence: 10_000,
};
const WORDS_MAX: Partial<Record<ValidatorType, number>> = {
  bleu_score: TOKENS_MAX,
  rouge_score: TOKENS_MAX,
  token_f1: TOKENS_MAX,
};

/** True when a text, expected or actual, is larger than its validator reads. */
export function isTooLarge(type: ValidatorType, text: string): boolean {
  return (
    exceeds(text, TEXT_BYTES_MAX, utf8Bytes) ||
    exceeds(text, CODE_POINTS_MAX[type], countCodePoints) ||
    hasMoreWords(text, WORDS_MAX[type])
  );
}

/** Measures only a text that is long enough to matter: a UTF-16 unit is at most three bytes or one character. */
function exceeds(text: string, limit: number | undefined, measure: (text: string) => number): boolean {
  return limit !== undefined && text.length * 3 > limit && measure(text) > limit;
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
    bytes += unit < 0x80 ? 1 : unit < 0x800 || isSurrogate ? 2 : 3;
  }
  return bytes;
}

/** Stops at the first word too many. */
function hasMoreWords(text: string, limit: number | undefined): boolean {
  if (limit === undefined || text.length <= limit) return false;
  const word = /\P{White_Space}+/gu;
  let words = 0;
  while (words <= limit && word.test(text)) words += 1;
  return words > limit;
}
