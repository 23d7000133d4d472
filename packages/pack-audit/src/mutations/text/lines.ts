import type { Edit } from '../edits/edit.js';

const TRUNCATED_MIN = 40;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+\S/;

interface Line {
  start: number;
  /** Of its text, without the line break. */
  end: number;
  text: string;
}

/** Lines are left out, items of lists and rows change places, and the second half is missing. */
export function lineEdits(text: string, isTable = false): Edit[] {
  const lines = linesOf(text).filter((line) => line.text.trim() !== '');
  if (lines.length < 2) return truncated(text);
  const dropped = lines.map(({ start, end }, index) => {
    const isLast = index === lines.length - 1;
    return isLast
      ? { operator: 'line_dropped', start: lines[index - 1]?.end ?? start, end, text: '' }
      : { operator: 'line_dropped', start, end: end + 1, text: '' };
  });
  const swapped = lines.flatMap((line, index): Edit[] => {
    const next = lines[index + 1];
    if (!next || line.text === next.text) return [];
    const isItem = isTable ? index > 0 : ITEM.test(line.text) && ITEM.test(next.text);
    if (!isItem) return [];
    const between = text.slice(line.end, next.start);
    return [
      { operator: 'lines_swapped', start: line.start, end: next.end, text: next.text + between + line.text },
    ];
  });
  return [...dropped, ...swapped, ...truncated(text)];
}

function truncated(text: string): Edit[] {
  if (text.trim().length < TRUNCATED_MIN) return [];
  return [{ operator: 'truncated', start: Math.floor(text.length / 2), end: text.length, text: '' }];
}

function linesOf(text: string): Line[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const each = { start, end: start + line.length, text: line };
    start += line.length + 1;
    return each;
  });
}
