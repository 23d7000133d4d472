import { isRecord, type RequestDifference } from '@agentclash/domain';
import type { RequestPart } from '@agentclash/models';

/** A part of a recorded request; its text is not kept where it is of no use. */
type ExpectedPart = Pick<RequestPart, 'path' | 'digest'> & { text: string | undefined };

const EXCERPT_LENGTH_MAX = 80;
/** Of an excerpt: the equal text before the first different character. */
const CONTEXT_LENGTH = 24;

/** The first difference between a recorded request and another one; undefined where their parts are the same. */
export function firstDifference(
  expected: readonly ExpectedPart[],
  found: readonly RequestPart[],
): RequestDifference | undefined {
  const length = Math.max(expected.length, found.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [expected[index], found[index]];
    if (left !== undefined && right !== undefined && left.path === right.path) {
      if (left.digest === right.digest) continue;
      return differenceOf(parsed(left.text), parsed(right.text), left.path);
    }
    // A part that only one of them has: the one whose next parts the other has, too.
    const isMissing = left !== undefined && !found.some(({ path }) => path === left.path);
    return isMissing || right === undefined
      ? { path: left?.path ?? '', expected: excerpt(left?.text ?? '', 0), found: undefined }
      : { path: right.path, expected: undefined, found: excerpt(right.text, 0) };
  }
  return undefined;
}

function differenceOf(expected: unknown, found: unknown, path: string): RequestDifference {
  if (Array.isArray(expected) && Array.isArray(found)) {
    const length = Math.max(expected.length, found.length);
    for (let index = 0; index < length; index++) {
      if (isSame(expected[index], found[index])) continue;
      return differenceOf(expected[index], found[index], `${path}[${index}]`);
    }
  }
  if (isRecord(expected) && isRecord(found)) {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort();
    const name = names.find((each) => !isSame(expected[each], found[each]));
    if (name !== undefined) return differenceOf(expected[name], found[name], `${path}.${name}`);
  }
  const [left, right] = [textOf(expected), textOf(found)];
  const at = firstDifferentIndex(left ?? '', right ?? '');
  return {
    path,
    expected: left === undefined ? undefined : excerpt(left, at),
    found: right === undefined ? undefined : excerpt(right, at),
  };
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || value === undefined ? value : JSON.stringify(value);
}

function firstDifferentIndex(left: string, right: string): number {
  let index = 0;
  while (index < left.length && left[index] === right[index]) index += 1;
  return index;
}

/** A short part of a text around an index, as JSON. */
function excerpt(text: string, at: number): string {
  const start = Math.max(0, at - CONTEXT_LENGTH);
  const end = start + EXCERPT_LENGTH_MAX;
  const cut = text.slice(start, end);
  return JSON.stringify(`${start > 0 ? '…' : ''}${cut}${end < text.length ? '…' : ''}`);
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
