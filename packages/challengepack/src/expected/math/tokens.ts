import { trim } from '../../text/white-space.js';
import { PI } from './expression.js';
import { MathError } from './math-error.js';

/** Reading so many takes some milliseconds, in which nothing else runs. */
const TOKENS_MAX = 10_000;

export type Token = { readonly kind: 'number' | 'name'; readonly text: string } | { readonly kind: Mark };

type Mark =
  | '+'
  | '-'
  | '*'
  | '/'
  | '^'
  | '%'
  | '('
  | ')'
  | '['
  | ']'
  | 'fraction'
  | 'root'
  | 'tex root'
  | 'boxed'
  | 'root sign';

const MARKS = new Map<string, Mark>([
  ['+', '+'],
  ['-', '-'],
  ['−', '-'],
  ['–', '-'],
  ['*', '*'],
  ['×', '*'],
  ['·', '*'],
  ['/', '/'],
  ['÷', '/'],
  ['^', '^'],
  ['%', '%'],
  ['\\%', '%'],
  ['(', '('],
  ['{', '('],
  [')', ')'],
  ['}', ')'],
  ['[', '['],
  [']', ']'],
  ['\\frac', 'fraction'],
  ['\\dfrac', 'fraction'],
  ['\\tfrac', 'fraction'],
  ['\\cfrac', 'fraction'],
  ['\\sqrt', 'tex root'],
  ['sqrt', 'root'],
  ['\\boxed', 'boxed'],
  ['√', 'root sign'],
]);
/** TeX words for single characters; written out, so that dropping what follows cannot lengthen the word. */
const CHARACTERS: readonly [RegExp, string][] = [
  [/\\pi(?![A-Za-z])/g, 'π'],
  [/\\(?:cdot|times)(?![A-Za-z])/g, '×'],
  [/\\div(?![A-Za-z])/g, '÷'],
];

const TOKEN =
  /\p{White_Space}+|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>(?!π)\p{L}(?:(?!π)[\p{L}\d_])*)|\\(?:[A-Za-z]+|.)|./gsuy;

/**
 * Splits plain or TeX mathematics into tokens; throws `unparsable` at anything that is neither, and `resource_limit` at
 * too many.
 */
export function tokenize(text: string): Token[] {
  const visible = CHARACTERS.reduce((current, [word, character]) => current.replace(word, character), text);
  const tokens: Token[] = [];
  for (const match of visible.matchAll(TOKEN)) {
    const token = tokenOf(match[0], match.groups);
    if (token === null) continue;
    if (tokens.length === TOKENS_MAX) throw new MathError('resource_limit');
    tokens.push(token);
  }
  return tokens;
}

function tokenOf(text: string, groups: Record<string, string | undefined> = {}): Token | null {
  if (groups.number !== undefined) return { kind: 'number', text };
  const mark = MARKS.get(text);
  if (mark !== undefined) return { kind: mark };
  const name = text === 'π' ? PI : groups.name;
  if (name !== undefined) return { kind: 'name', text: name };
  if (trim(text) === '') return null;
  throw new MathError('unparsable');
}
