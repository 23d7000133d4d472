import type { Expression } from './expression.js';
import { MathError } from './math-error.js';
import { isNumeric } from './numeric.js';
import { parseMath } from './parse.js';
import { withoutUnit } from './units.js';

/** How the items of a list are enclosed; without brackets it is ''. */
type Brackets = '' | '()' | '[]' | '(]' | '[)' | '{}';

/** The structure of a mathematical solution. */
export type Solution<Value> =
  | { readonly kind: 'value'; readonly value: Value; readonly unit: string | null }
  /** A solution for a symbol, or for several: x in `x = 5`. */
  | { readonly kind: 'named'; readonly name: string; readonly solution: Solution<Value> }
  | { readonly kind: 'infinity'; readonly isNegative: boolean }
  | { readonly kind: 'list'; readonly brackets: Brackets; readonly items: readonly Solution<Value>[] }
  | { readonly kind: 'union'; readonly parts: readonly Solution<Value>[] };

const ITEMS_MAX = 200;
const NESTING_MAX = 50;
const BRACKETS: ReadonlyMap<string, Brackets> = new Map<string, Brackets>([
  ['()', '()'],
  ['[]', '[]'],
  ['(]', '(]'],
  ['[)', '[)'],
  ['\\{\\}', '{}'],
  ['\\lbrace\\rbrace', '{}'],
]);
const EMPTY_SET = /^\\(?:emptyset|varnothing)$|^[∅]$/;
const INFINITY = /^([+\-−–]?)\s*(?:\\infty|∞|infinity)$/;
/** One symbol, or several in parentheses, without spaces. */
const NAME = /^(?:\\?\p{L}\w*|\(\\?\p{L}\w*(?:,\\?\p{L}\w*)*\))$/u;

/** TeX words that change nothing but the looks. */
const LOOKS = /\\(?:left|right|displaystyle|textstyle|limits|nolimits|[bB]igg?[lrm]?)(?![A-Za-z])|\\!/g;
const SPACES = /\\(?:quad|qquad|enspace|thinspace|medspace|thickspace)(?![A-Za-z])|\\[,;:> ]|~/g;

/** Reads plain or TeX mathematics. Throws a `MathError`: `unparsable`, or `resource_limit` past its guards. */
export function readSolution(text: string): Solution<Expression> {
  const joined = joinTexGroups(withoutDelimiters(text));
  return read(joined.replace(LOOKS, '').replace(SPACES, ' '), 0);
}

function read(text: string, depth: number): Solution<Expression> {
  if (depth > NESTING_MAX) throw new MathError('resource_limit');
  const bare = withoutDelimiters(text).trim();
  const infinity = INFINITY.exec(bare);
  if (infinity !== null) return { kind: 'infinity', isNegative: /[-−–]/.test(infinity[1] ?? '') };
  if (EMPTY_SET.test(bare)) return { kind: 'list', brackets: '{}', items: [] };
  const parts = splitOutside(bare, ['\\cup', '∪']);
  if (parts.length > 1) return { kind: 'union', parts: all(parts, depth) };
  return readBracketed(bare, depth) ?? readEquation(bare, depth) ?? readUnbracketed(bare, depth);
}

/** In brackets every comma separates items: `(1,234)` has two. Single parentheses only group. */
function readBracketed(text: string, depth: number): Solution<Expression> | null {
  const enclosure = enclosed(text);
  const brackets = BRACKETS.get(`${enclosure?.open}${enclosure?.close}`);
  if (enclosure === null || brackets === undefined) return null;
  const items = splitOutside(enclosure.inner, [',']);
  if (brackets === '{}' && enclosure.inner.trim() === '') return { kind: 'list', brackets, items: [] };
  if (items.length === 1 && brackets !== '{}') return null;
  return { kind: 'list', brackets, items: all(items, depth) };
}

function readEquation(text: string, depth: number): Solution<Expression> | null {
  const [left = '', right, ...more] = splitOutside(text, ['=']);
  const name = left.replace(/\s/g, '');
  if (right === undefined || more.length > 0 || !NAME.test(name)) return null;
  return { kind: 'named', name, solution: read(right, depth + 1) };
}

function readUnbracketed(text: string, depth: number): Solution<Expression> {
  const items = splitOutside(joinDigitGroups(text), [',']);
  if (items.length > 1) return { kind: 'list', brackets: '', items: all(items, depth) };
  return { kind: 'value', ...readMeasured(items[0] ?? '') };
}

function all(texts: readonly string[], depth: number): Solution<Expression>[] {
  if (texts.length > ITEMS_MAX) throw new MathError('resource_limit');
  return texts.map((text) => read(text, depth + 1));
}

/** A plain word is a unit behind a number, as in "18 dollars"; behind a symbol it is a factor. */
function readMeasured(text: string): { value: Expression; unit: string | null } {
  const measured = withoutUnit(text);
  if (!measured.isPlainWord) return { value: parseMath(measured.text), unit: measured.unit };
  const value = parsedNumber(measured.text);
  return value === null ? { value: parseMath(text), unit: null } : { value, unit: measured.unit };
}

function parsedNumber(text: string): Expression | null {
  try {
    const value = parseMath(text);
    return isNumeric(value) ? value : null;
  } catch (error) {
    if (error instanceof MathError && error.code === 'unparsable') return null;
    throw error;
  }
}

/** One to three digits, then groups of three; nothing before or behind that makes the commas anything else. */
const GROUPED = /(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?!\d|,\d)/g;
/** The same with signs that TeX has for nothing but grouping: `{,}`, `,\!` and `\,`. */
const GROUPED_BY_TEX = /(?<![\d.,])[1-9]\d{0,2}(?:(?:\{,\}|,\\!|\\,)\d{3})+(?!\d|,\d)/g;

/** Drops what separates groups of digits in a number of TeX, where nothing else can be meant. */
function joinTexGroups(text: string): string {
  return text.replace(GROUPED_BY_TEX, (number) => number.replace(/\D/g, ''));
}

/** Drops the commas of numbers such as 1,234 or 12,345,678; any other comma separates items. */
function joinDigitGroups(text: string): string {
  return text.replace(GROUPED, (number) => number.replaceAll(',', ''));
}

/** Signs around mathematics that are no part of it. */
const ENCLOSINGS: readonly (readonly [open: string, close: string])[] = [
  ['$$', '$$'],
  ['$', '$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
];
const LAYERS_MAX = 16;

/** The text without what TeX puts around mathematics, a box, and the full stop of a sentence. */
function withoutDelimiters(text: string): string {
  let current = text;
  for (let layer = 0; layer < LAYERS_MAX; layer += 1) {
    const inner = withoutLayer(current.trim());
    if (inner === current) break;
    current = inner;
  }
  return current;
}

function withoutLayer(text: string): string {
  for (const [open, close] of ENCLOSINGS) {
    if (text.length < open.length + close.length || !text.startsWith(open) || !text.endsWith(close)) continue;
    const inner = text.slice(open.length, text.length - close.length);
    if (!inner.includes(open) && !inner.includes(close)) return inner;
  }
  const box = /^\\f?boxed\s*(?=\{)/.exec(text)?.[0];
  if (box !== undefined) {
    const enclosure = enclosed(text.slice(box.length));
    if (enclosure?.open === '{') return enclosure.inner;
  }
  return text.length > 1 && text.endsWith('.') && !text.endsWith('\\.') ? text.slice(0, -1) : text;
}

/** One step through a text: a TeX word or escaped sign as a whole, any other sign by itself. */
const SIGN = /\\(?:[A-Za-z]+|[\s\S])|[\s\S]/g;
const OPENING: ReadonlySet<string> = new Set(['(', '[', '{', '\\{', '\\lbrace']);
const CLOSING: ReadonlySet<string> = new Set([')', ']', '}', '\\}', '\\rbrace']);

/** The text between the bracket that it begins with and the one that belongs to it, when that is at the end. */
function enclosed(text: string): { open: string; close: string; inner: string } | null {
  let depth = 0;
  let open = '';
  for (const { 0: sign, index } of text.matchAll(SIGN)) {
    if (OPENING.has(sign)) depth += 1;
    if (index === 0) open = sign;
    if (CLOSING.has(sign)) depth -= 1;
    if (depth > 0) continue;
    const isWhole = depth === 0 && index > 0 && index + sign.length === text.length;
    return isWhole ? { open, close: sign, inner: text.slice(open.length, index) } : null;
  }
  return null;
}

/** Splits at every such sign that is within no brackets. */
function splitOutside(text: string, separators: readonly string[]): string[] {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: sign, index } of text.matchAll(SIGN)) {
    if (OPENING.has(sign)) depth += 1;
    else if (CLOSING.has(sign)) depth -= 1;
    else if (depth === 0 && separators.includes(sign)) {
      pieces.push(text.slice(start, index));
      start = index + sign.length;
    }
  }
  return [...pieces, text.slice(start)];
}
