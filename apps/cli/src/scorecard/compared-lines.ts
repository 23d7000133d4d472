import { type Compared, comparedSentence, expectedPhrase, firstDifference } from '@agentclash/api';
import { oneLine } from '../terminal/printable.js';
import type { ValidatorRow } from './attempt-card.js';

/** Of a text that is too long for a sentence, as much stands on its line. */
const SHOWN_MAX = 100;
/** Of which so much is before the first difference. */
const SHOWN_BEFORE = 30;

/** For each validator that did not pass what it expected and what it got, in one line, or one for each side. */
export function comparedLines(validators: readonly ValidatorRow[]): string[] {
  return validators.flatMap(({ key, type, compared }) => {
    if (compared === undefined) return [];
    const name = oneLine(key);
    const sentence = comparedSentence(type, compared);
    if (sentence !== undefined) return [`${name}  ${oneLine(sentence)}`];
    return [name, ...sideLines(type, compared).map((line) => `  ${line}`)];
  });
}

function sideLines(type: string, { expected, actual }: Compared): string[] {
  const at = expected === null || actual === null ? 0 : firstDifference(expected.text, actual.text);
  const [first, second] = [`${expectedPhrase(type)}:`, 'got:'];
  const width = Math.max(first.length, second.length);
  return [
    ...(expected === null ? [] : [`${first.padEnd(width)}  ${cutAround(expected, at)}`]),
    `${second.padEnd(width)}  ${actual === null ? '(nothing)' : cutAround(actual, at)}`,
  ];
}

/** The part of the text around the place, with how long all of it is where it is more. */
function cutAround({ text, from = 0, length = text.length }: NonNullable<Compared['actual']>, at: number) {
  const start = text.length <= SHOWN_MAX ? 0 : Math.max(0, at - SHOWN_BEFORE);
  const part = text.slice(start, start + SHOWN_MAX);
  const isWhole = part.length === length;
  const before = from + start > 0 ? '…' : '';
  const after = from + start + part.length < length ? '…' : '';
  const note = isWhole ? '' : `  (${length} characters, from ${from + start + 1})`;
  return `${before}${oneLine(part)}${after}${note}`;
}
