import { z } from 'zod';

const Excerpt = z.looseObject({
  text: z.string(),
  /** Offset of the part in the whole text; absent: 0. */
  from: z.number().optional(),
  /** Of the whole text; absent: `text` is all of it. */
  length: z.number().optional(),
});

/** The expected and the actual text of a validator, as in the scorecard of an attempt; null: there was none. */
export const Compared = z.looseObject({ expected: Excerpt.nullable(), actual: Excerpt.nullable() });
export type Compared = z.infer<typeof Compared>;

/** How the actual text must relate to the expected one, where it need not be equal. */
const MEANT: Readonly<Record<string, string>> = {
  contains: 'text that contains',
  not_contains: 'text without',
  starts_with: 'text that starts with',
  ends_with: 'text that ends with',
  regex_match: 'a match of',
  fuzzy_match: 'text close to',
  token_f1: 'text close to',
  bleu_score: 'text close to',
  rouge_score: 'text close to',
  chrf_score: 'text close to',
  json_schema: 'JSON that satisfies',
  file_json_schema: 'JSON that satisfies',
  json_path_match: 'JSON with',
  postcondition: 'a file with',
  tool_call_assertion: 'tool calls with',
  trajectory_match: 'the tool calls',
};

/** Types whose expectation is a phrase already. */
const IN_WORDS: ReadonlySet<string> = new Set([
  ...[
    'number_range',
    'length_range',
    'xml_valid',
    'file_exists',
    'directory_structure',
    'code_execution',
    'script',
  ],
]);

const SENTENCE_TEXT_MAX = 80;

/** `expected 6, got 3`; undefined where a side is too long for a sentence. */
export function comparedSentence(type: string, { expected, actual }: Compared): string | undefined {
  const [wanted, found] = [lineOf(expected), lineOf(actual)];
  if (wanted === undefined || found === undefined) return undefined;
  // They differ by the line break alone, which a sentence does not show.
  if (wanted === found && isEquality(type)) return undefined;
  const got = `got ${found === null ? 'nothing' : quoted(found)}`;
  if (wanted === null) return got;
  return `${expectedPhrase(type)} ${written(type, wanted)}, ${got}`;
}

function written(type: string, expected: string): string {
  // As it is in the pack: quotes would double its backslashes.
  if (type === 'regex_match') return `/${expected}/`;
  return IN_WORDS.has(type) ? expected : quoted(expected);
}

/** The one short line that a side is, without the line break that ends the output of a program; else undefined. */
function lineOf(side: Compared['expected']): string | null | undefined {
  if (side === null) return null;
  const line = side.text.replace(/\r?\n$/, '');
  const isWhole = side.length === undefined && line.length <= SENTENCE_TEXT_MAX;
  return isWhole && !/[\r\n]/.test(line) ? line : undefined;
}

/** The words before the expected text: `expected`, `expected text that contains`. */
export function expectedPhrase(type: string): string {
  const meant = Object.hasOwn(MEANT, type) ? ` ${MEANT[type]}` : '';
  return `expected${meant}`;
}

/**
 * True when the actual text has to equal the expected one, so that the position of their first difference is
 * meaningful.
 */
export function isEquality(type: string): boolean {
  return !Object.hasOwn(MEANT, type) && !IN_WORDS.has(type);
}

/**
 * The offset of the first difference of two texts, in UTF-16 code units; the shorter one's length where one is a
 * prefix.
 */
export function firstDifference(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  let index = 0;
  while (index < end && left.charCodeAt(index) === right.charCodeAt(index)) index += 1;
  return index;
}

/** A word or number unchanged, and a remark in parentheses; other text in quotes, so that blanks are visible. */
function quoted(text: string): string {
  return /^[\p{L}\p{N}_.,:;+\-%$/]+$|^\([\p{L} ]+\)$/u.test(text) ? text : JSON.stringify(text);
}
