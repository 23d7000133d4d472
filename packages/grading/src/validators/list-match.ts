import { foldCase, ITEMS_MAX, readListItems } from '@agentclash/challengepack';
import { commonSubsequenceLength } from '../algorithms/common-subsequence.js';
import { Alphabet } from '../algorithms/symbols.js';
import { graded, TOO_LARGE } from './judgement.js';
import { textValidator } from './text-target.js';

export const listMatch = textValidator<'list_match'>((actual, { expected, config }) => {
  const items = readListItems(actual, config.separator);
  if (items.length > ITEMS_MAX) return TOO_LARGE;
  const seen = (list: readonly string[]) => (config.case_insensitive ? list.map(foldCase) : list);
  const score =
    config.mode === 'set' ? setScore(seen(items), seen(expected)) : orderedScore(seen(items), seen(expected));
  return graded(score, config.threshold);
});

function setScore(a: readonly string[], b: readonly string[]): number {
  const [left, right] = [new Set(a), new Set(b)];
  const common = [...left].filter((item) => right.has(item)).length;
  return f1(common, left.size + right.size);
}

function orderedScore(a: readonly string[], b: readonly string[]): number {
  const alphabet = new Alphabet();
  const [left, right] = [alphabet.encode(a), alphabet.encode(b)];
  return f1(commonSubsequenceLength(left, right, alphabet.size), a.length + b.length);
}

function f1(common: number, sizes: number): number {
  return sizes === 0 ? 1 : (2 * common) / sizes;
}
