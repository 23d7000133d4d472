import type { ExecutionEventType } from './events.js';

/** Events that a search in transcripts leaves out: parts of replies that others repeat whole, and what is kept for replays. */
export const REPEATED_EVENTS: string[] = [
  'model.output.delta',
  'model.tool_calls.proposed',
  'model.call.recorded',
] satisfies ExecutionEventType[];

/** Characters of the text on each side of a match. */
const AROUND = 80;

export interface TextMatch {
  /** Members and indexes that lead to the text. */
  at: (string | number)[];
  before: string;
  match: string;
  after: string;
}

/** The first string within a value of JSON that has the text, in any case of letters; names of members do not count. */
export function findText(value: unknown, text: string): TextMatch | undefined {
  const wanted = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  const left: { value: unknown; at: (string | number)[] }[] = [{ value, at: [] }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value: part, at } = next;
    if (typeof part === 'string') {
      const found = wanted.exec(part);
      if (found) return { at, ...excerpt(part, found.index, found[0].length) };
    } else if (typeof part === 'object' && part !== null) {
      const members = Array.isArray(part) ? [...part.entries()] : Object.entries(part);
      // The last is taken first.
      for (const [name, member] of members.reverse()) left.push({ value: member, at: [...at, name] });
    }
  }
  return undefined;
}

/** No part begins or ends within a surrogate pair. */
function excerpt(text: string, from: number, length: number) {
  const to = from + length;
  return {
    before: text.slice(Math.max(0, from - AROUND), from).replace(/^\p{Cs}/u, ''),
    match: text.slice(from, to),
    after: text.slice(to, to + AROUND).replace(/\p{Cs}$/u, ''),
  };
}
