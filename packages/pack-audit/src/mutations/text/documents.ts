import {
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml';
import type { Edit } from '../edits/edit.js';
import { numberEdits } from './numbers.js';
import { wordEdits } from './words.js';

/** Longer strings are prose. */
const SHORT_STRING = 60;

interface Range {
  start: number;
  end: number;
}

/**
 * JSON and YAML: members and items are left out, items change places, values are other ones. The edited text is as well
 * formed as the text was. Undefined for a text that is no such document.
 */
export function documentEdits(text: string): Edit[] | undefined {
  const document = parseDocument(text, { schema: 'core', uniqueKeys: false });
  if (document.errors.length > 0 || isScalar(document.contents) || document.contents === null)
    return undefined;
  const edits: Edit[] = [];
  visit(document, {
    Map: (_key, { items, flow }) => {
      edits.push(
        ...entryEdits(items.flatMap(rangeOf), { text, isFlow: flow === true, operator: 'member_dropped' }),
      );
    },
    Seq: (_key, { items, flow }) => {
      const ranges = items.flatMap(rangeOf);
      if (ranges.length !== items.length) return;
      if (flow) edits.push(...entryEdits(ranges, { text, isFlow: true, operator: 'item_dropped' }));
      edits.push(...swappedItems(ranges, text));
    },
    Scalar: (key, node) => {
      if (key !== 'key') edits.push(...scalarEdits(node, text));
    },
  });
  return edits;
}

function rangeOf(item: unknown): Range[] {
  if (isPair(item)) return pairRange(item as Pair<Node, Node | null>);
  if (!isScalar(item) && !isMap(item) && !isSeq(item)) return [];
  const [start, end] = item.range ?? [];
  return start === undefined || end === undefined ? [] : [{ start, end }];
}

function pairRange({ key, value }: Pair<Node, Node | null>): Range[] {
  const start = key.range?.[0];
  const end = value?.range?.[1] ?? key.range?.[1];
  return start === undefined || end === undefined ? [] : [{ start, end }];
}

interface EntryContext {
  text: string;
  isFlow: boolean;
  operator: string;
}

/** Between brackets with the comma beside it; a member of a block with its lines. */
function entryEdits(ranges: readonly Range[], { text, isFlow, operator }: EntryContext): Edit[] {
  if (isFlow) {
    return ranges.map(({ start, end }, index): Edit => {
      const next = ranges[index + 1];
      const before = ranges[index - 1];
      if (next) return { operator, start, end: next.start, text: '' };
      return { operator, start: before?.end ?? start, end, text: '' };
    });
  }
  if (ranges.length < 2) return [];
  return ranges.flatMap(({ start, end }, index): Edit[] => {
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const next = ranges[index + 1];
    const isAlone = text.slice(lineStart, start).trim() === '';
    if (!isAlone) return [];
    const lineEnd = text.indexOf('\n', Math.max(start, end - 1));
    const to = next ? text.lastIndexOf('\n', next.start - 1) + 1 : lineEnd === -1 ? text.length : lineEnd + 1;
    return [{ operator, start: lineStart, end: to, text: '' }];
  });
}

function swappedItems(ranges: readonly Range[], text: string): Edit[] {
  return ranges.flatMap((range, index): Edit[] => {
    const next = ranges[index + 1];
    if (!next) return [];
    const [a, b] = [text.slice(range.start, range.end), text.slice(next.start, next.end)];
    // Items of several lines have an indentation that belongs to their position.
    if (a === b || /\n/.test(a + b)) return [];
    const between = text.slice(range.end, next.start);
    return [{ operator: 'items_swapped', start: range.start, end: next.end, text: b + between + a }];
  });
}

function scalarEdits({ value, range, type }: Scalar, text: string): Edit[] {
  const [start, end] = range ?? [];
  if (start === undefined || end === undefined || start === end) return [];
  const shifted = (edit: Edit): Edit => ({ ...edit, start: edit.start + start, end: edit.end + start });
  const raw = text.slice(start, end);
  if (typeof value === 'boolean') {
    return [{ operator: 'boolean', start, end, text: inCaseOfBoolean(raw, !value) }];
  }
  if (typeof value === 'number') {
    return numberEdits(raw)
      .filter((edit) => !(edit.text === '' && edit.start === edit.end))
      .map(shifted);
  }
  if (typeof value !== 'string' || /^BLOCK/.test(type ?? '') || /[\n\\]/.test(raw)) return [];
  if (value.length > SHORT_STRING) return wordEdits(raw).filter(isLetters).map(shifted);
  const numbers = numberEdits(raw).filter(({ operator }) => operator === 'date' || operator === 'number');
  return [...numbers, ...wordEdits(raw).filter(isLetters)].map(shifted);
}

/** Edits that cannot change the form of a document. */
function isLetters({ text, operator }: Edit): boolean {
  return /^[\p{L}\p{N} ]+$/u.test(text) && !(operator === 'negation' && text === '');
}

function inCaseOfBoolean(raw: string, value: boolean): string {
  const word = String(value);
  return /^[TF]/.test(raw) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}
