import type { ExecutionEventType } from './events.js';

/** Events that a search in transcripts leaves out: parts of replies that others repeat whole, and what is kept for replays. */
export const REPEATED_EVENTS: string[] = [
  'model.output.delta',
  'model.tool_calls.proposed',
  'model.call.recorded',
] satisfies ExecutionEventType[];

/** Characters of the text on each side of a match. */
const AROUND = 80;

interface TextMatch {
  before: string;
  match: string;
  after: string;
}

/** The first string within a value of JSON that has the text, in any case of letters; names of members do not count. */
export function findText(value: unknown, text: string): TextMatch | undefined {
  const wanted = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  // No recursion, and nothing that grows with the depth of each part: agents choose how values are nested.
  const left = [value];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part === 'string') {
      const found = wanted.exec(part);
      if (found) return excerpt(part, found.index, found[0].length);
    } else if (typeof part === 'object' && part !== null) {
      // The last is taken first.
      for (const member of Object.values(part).reverse()) left.push(member);
    }
  }
  return undefined;
}

/** No part begins or ends within a surrogate pair. */
function excerpt(text: string, from: number, length: number): TextMatch {
  const to = from + length;
  return {
    before: text.slice(Math.max(0, from - AROUND), from).replace(/^\p{Cs}/u, ''),
    match: text.slice(from, to),
    after: text.slice(to, to + AROUND).replace(/\p{Cs}$/u, ''),
  };
}
