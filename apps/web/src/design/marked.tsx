import { createContext, Fragment, useContext } from 'react';

/** Words that are marked in the texts below, in any case of letters; blank for none. */
export const MarkedWords = createContext('');

/** Marks of one text; further matches are plain. */
const MARKS_MAX = 500;

/** A text with the words that are looked for marked. */
export function Marked({ text }: { text: string }) {
  const words = useContext(MarkedWords);
  if (words === '') return text;
  return partsOf(text, words).map(({ before, match }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move.
    <Fragment key={index}>
      {before}
      {match !== '' && <mark>{match}</mark>}
    </Fragment>
  ));
}

/** The place of the first match; -1 for none. */
export function firstMatch(text: string, words: string): number {
  return words === '' ? -1 : text.search(patternOf(words));
}

function partsOf(text: string, words: string): { before: string; match: string }[] {
  const parts: { before: string; match: string }[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(patternOf(words))) {
    if (parts.length >= MARKS_MAX) break;
    parts.push({ before: text.slice(end, index), match });
    end = index + match.length;
  }
  return [...parts, { before: text.slice(end), match: '' }];
}

/** The words as they are: what has a meaning in a pattern is escaped. */
function patternOf(words: string): RegExp {
  return new RegExp(words.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu');
}
