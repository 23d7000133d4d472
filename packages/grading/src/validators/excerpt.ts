/** A text, or a part of one. */
export interface Excerpt {
  readonly text: string;
  /** Where the part begins, in UTF-16 code units; absent: at the beginning. */
  readonly from?: number;
  /** How long the whole text is; absent: `text` is all of it. */
  readonly length?: number;
}

/** In code units. A scorecard with 30 failed validators stays below 150 kB. */
const EXCERPT_MAX = 2_000;
/** What is kept before the first difference. */
const CONTEXT = 200;

/** Both texts, each cut to the same window, in which they first differ. */
export function excerpts(
  expected: string | null,
  actual: string | null,
): { expected: Excerpt | null; actual: Excerpt | null } {
  const isLong = (text: string | null) => text !== null && text.length > EXCERPT_MAX;
  if (!isLong(expected) && !isLong(actual)) {
    return { expected: excerptOf(expected, 0), actual: excerptOf(actual, 0) };
  }
  const shared = expected === null || actual === null ? 0 : sharedLength(expected, actual);
  // Where all of the shorter text is shared, its end is what matters.
  const from = Math.max(0, shared - CONTEXT);
  return { expected: excerptOf(expected, from), actual: excerptOf(actual, from) };
}

/** How many code units the texts share at their beginning. */
function sharedLength(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  let index = 0;
  while (index < end && left.charCodeAt(index) === right.charCodeAt(index)) index += 1;
  return index;
}

function excerptOf(text: string | null, from: number): Excerpt | null {
  if (text === null) return null;
  if (text.length <= EXCERPT_MAX && from === 0) return { text };
  const start = isInsidePair(text, from) ? from - 1 : from;
  const end = Math.min(text.length, start + EXCERPT_MAX);
  const part = text.slice(start, isInsidePair(text, end) ? end - 1 : end);
  return { text: part, ...(start > 0 && { from: start }), length: text.length };
}

/** Whether a cut here would part a surrogate pair. */
function isInsidePair(text: string, index: number): boolean {
  return (
    index > 0 &&
    index < text.length &&
    /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(index - 1, index + 1))
  );
}
