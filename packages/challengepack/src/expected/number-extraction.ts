import type { NumberExtraction } from '../evaluation-spec/validator-configs.js';
import { type Decimal, decimalKey } from '../values/decimal.js';
import { readNumberText, readNumeral, stripCurrency } from './number-text.js';

export interface NumberOptions {
  /** Which number of a longer text counts; absent: the whole trimmed text is the number. */
  readonly extract?: NumberExtraction;
  /** The older way: the first number, every comma dropped. */
  readonly extract_number: boolean;
  readonly answer_delimiter: string;
}

/** The number of a text; `none` when it states no readable one, `several` when it states different ones. */
export type NumberReading =
  | { readonly kind: 'number'; readonly value: Decimal }
  | { readonly kind: 'none' | 'several' };

const NONE: NumberReading = { kind: 'none' };

const WHOLE = String.raw`(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,2}(?:,\d{2}){1,8},\d{3}(?!\d)|\d+)`;
/**
 * A numeral within a text. It does not begin inside a word (`gpt4`), a numeral or a version (`1.2.3`); a sign counts
 * only where it cannot be a hyphen or a minus between two numbers; a comma only where it separates thousands.
 */
const NUMERAL = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}_.)\]}])[+-])?(?:(?<![A-Za-z_\d]|\d\.)${WHOLE}(?:\.\d+)?|(?<![A-Za-z_\d.])\.\d+)(?:[eE][+-]?\d+)?`,
  'gu',
);

/** Reads the number that a text states. The same for both sides of a comparison. */
export function readNumber(text: string, options: NumberOptions): NumberReading {
  const { extract, answer_delimiter: delimiter } = options;
  if (extract === undefined) return found(readNumberText(text, { extract: options.extract_number }));
  return EXTRACTIONS[extract](text, delimiter);
}

const EXTRACTIONS: {
  readonly [E in NumberExtraction]: (text: string, delimiter: string) => NumberReading;
} = {
  only: onlyNumber,
  first: (text) => {
    const { value } = numeralsIn(text).next();
    return value === undefined ? NONE : found(readNumeral(value));
  },
  last: (text) => {
    let last: string | undefined;
    for (const numeral of numeralsIn(text)) last = numeral;
    return last === undefined ? NONE : found(readNumeral(last));
  },
  delimiter: (text, delimiter) => onlyNumber(afterDelimiter(text, delimiter)),
};

/** The one number of a text, however often it is stated. */
function onlyNumber(text: string): NumberReading {
  // Written alike they are equal: only other spellings are worth reading.
  const spellings = new Set<string>();
  let only: Decimal | undefined;
  for (const numeral of numeralsIn(text)) {
    if (spellings.has(numeral)) continue;
    spellings.add(numeral);
    const value = readNumeral(numeral);
    if (value === null) return NONE;
    if (only !== undefined && decimalKey(only) !== decimalKey(value)) return { kind: 'several' };
    only = value;
  }
  return found(only ?? null);
}

function found(value: Decimal | null): NumberReading {
  return value === null ? NONE : { kind: 'number', value };
}

function* numeralsIn(text: string): Generator<string, undefined> {
  const plain = stripCurrency(text.replaceAll('\u2212', '-'));
  for (const [numeral] of plain.matchAll(NUMERAL)) yield numeral.replaceAll(',', '');
}

/** The first line with anything on it behind the last delimiter; without a delimiter the whole text. */
function afterDelimiter(text: string, delimiter: string): string {
  const at = text.lastIndexOf(delimiter);
  if (at === -1) return text;
  return /^.*\S.*$/m.exec(text.slice(at + delimiter.length))?.[0] ?? '';
}
