import type { Edit } from '../edits/edit.js';

const WORD = /\p{L}[\p{L}\p{N}'’_-]*/gu;
/** In a sentence a single word is seldom what is graded. */
const SHORT_TEXT_WORDS = 4;
/** Words that carry no meaning of their own. */
const FILLERS = new Set(
  'a an the of to in on at by for from with and or is are was were be been it its this that as so very here there will would has have had do does did you your i we our they their he she his her result value reply response final total sum'.split(
    ' ',
  ),
);

const OPPOSITES: Readonly<Record<string, string>> = mirrored([
  ['yes', 'no'],
  ['true', 'false'],
  ['pass', 'fail'],
  ['passed', 'failed'],
  ['valid', 'invalid'],
  ['before', 'after'],
  ['above', 'below'],
  ['more', 'less'],
  ['increase', 'decrease'],
  ['increased', 'decreased'],
  ['greater', 'smaller'],
  ['first', 'last'],
  ['always', 'never'],
  ['all', 'none'],
  ['allowed', 'denied'],
  ['accept', 'reject'],
  ['accepted', 'rejected'],
  ['approved', 'rejected'],
  ['enabled', 'disabled'],
  ['positive', 'negative'],
  ['north', 'south'],
  ['left', 'right'],
  ['high', 'low'],
]);

const TAKES_NOT = /^(?:is|are|was|were|can|will|must|should|does|did|has|may)$/i;

/** Words become their opposites, statements are negated, and in a short text a word is left out or is another one. */
export function wordEdits(text: string): Edit[] {
  const words = [...text.matchAll(WORD)].map(({ index, 0: word }) => ({ index, word }));
  const edits = words.flatMap(({ index, word }) => meaningEdits(text, index, word));
  if (words.length > SHORT_TEXT_WORDS) return edits;
  const content = words.filter(({ word }) => !FILLERS.has(word.toLowerCase()));
  return [...edits, ...content.flatMap(({ index, word }) => contentEdits(text, index, word, content.length))];
}

function meaningEdits(text: string, index: number, word: string): Edit[] {
  const at = { start: index, end: index + word.length };
  const opposite = OPPOSITES[word.toLowerCase()];
  if (opposite !== undefined) return [{ operator: 'opposite', ...at, text: inCaseOf(word, opposite) }];
  if (/^not$/i.test(word))
    return [{ operator: 'negation', start: index, end: withSpace(text, at.end), text: '' }];
  if (/n['’]t$/.test(word)) return [{ operator: 'negation', start: at.end - 3, end: at.end, text: '' }];
  const isNegated = /^\s+not\b/i.test(text.slice(at.end, at.end + 8));
  if (!TAKES_NOT.test(word) || isNegated) return [];
  return [{ operator: 'negation', start: at.end, end: at.end, text: ' not' }];
}

function contentEdits(text: string, index: number, word: string, count: number): Edit[] {
  const end = index + word.length;
  const other = { operator: 'word_replaced', start: index, end, text: otherWord(word) };
  if (count === 1 || word.length === 1) return [other];
  return [other, { operator: 'word_dropped', start: index, end: withSpace(text, end), text: '' }];
}

/** A single letter, as that of a choice, becomes the next one; a word one of the same shape. */
function otherWord(word: string): string {
  if (word.length === 1) {
    const next = /[zZ]/.test(word) ? 'a' : String.fromCharCode(word.charCodeAt(0) + 1);
    return /\p{L}/u.test(next) ? inCaseOf(word, next) : 'a';
  }
  return inCaseOf(word, word.toLowerCase() === 'other' ? 'another' : 'other');
}

function inCaseOf(model: string, word: string): string {
  if (model.length > 1 && model === model.toUpperCase()) return word.toUpperCase();
  return /^\p{Lu}/u.test(model) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

function withSpace(text: string, end: number): number {
  return text[end] === ' ' ? end + 1 : end;
}

function mirrored(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  const all = pairs.flatMap(([a, b]) => [[b, a] as const, [a, b] as const]);
  return Object.assign(Object.create(null), Object.fromEntries(all));
}
