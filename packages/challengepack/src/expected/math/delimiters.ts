/** Signs around mathematics that are no part of it. */
const ENCLOSINGS: readonly (readonly [open: string, close: string])[] = [
  ['$$', '$$'],
  ['$', '$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
];
const LAYERS_MAX = 16;

/** The text without what TeX puts around mathematics, a box, and the full stop of a sentence. */
export function withoutDelimiters(text: string): string {
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
export function enclosed(text: string): { open: string; close: string; inner: string } | null {
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
export function splitOutside(text: string, separators: readonly string[]): string[] {
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
