import type { Steps } from '../steps.js';
import type { Answer } from './answer.js';

type SameValues<V> = (a: V, b: V) => Steps<boolean>;
type List<V> = Extract<Answer<V>, { kind: 'list' }>;

/**
 * Whether two answers are the same. A unit or a name that only one side has does not count, different ones differ.
 * Lists agree in brackets, order and length; a set in braces knows neither order nor repetition, nor does a list without
 * brackets that is compared with one.
 */
export function* sameAnswers<V>(a: Answer<V>, b: Answer<V>, same: SameValues<V>): Steps<boolean> {
  if (a.kind === 'named' && b.kind === 'named') {
    return a.name === b.name && (yield* sameAnswers(a.answer, b.answer, same));
  }
  if (a.kind === 'named') return yield* sameAnswers(a.answer, b, same);
  if (b.kind === 'named') return yield* sameAnswers(a, b.answer, same);
  if (a.kind === 'value' && b.kind === 'value') {
    const isOtherUnit = a.unit !== null && b.unit !== null && a.unit !== b.unit;
    return !isOtherUnit && (yield* same(a.value, b.value));
  }
  if (a.kind === 'infinity' && b.kind === 'infinity') return a.isNegative === b.isNegative;
  if (a.kind === 'union' && b.kind === 'union') return yield* sameSets(a.parts, b.parts, same);
  if (a.kind === 'list' && b.kind === 'list') return yield* sameLists(a, b, same);
  return false;
}

function* sameLists<V>(a: List<V>, b: List<V>, same: SameValues<V>): Steps<boolean> {
  const kinds = new Set([a.brackets, b.brackets]);
  const isSet = kinds.has('{}') && (kinds.size === 1 || kinds.has(''));
  if (isSet) return yield* sameSets(a.items, b.items, same);
  if (a.brackets !== b.brackets || a.items.length !== b.items.length) return false;
  for (const [index, item] of a.items.entries()) {
    const other = b.items[index];
    if (other === undefined || !(yield* sameAnswers(item, other, same))) return false;
  }
  return true;
}

function* sameSets<V>(a: readonly Answer<V>[], b: readonly Answer<V>[], same: SameValues<V>): Steps<boolean> {
  return (yield* isWithin(a, b, same)) && (yield* isWithin(b, a, same));
}

function* isWithin<V>(
  items: readonly Answer<V>[],
  others: readonly Answer<V>[],
  same: SameValues<V>,
): Steps<boolean> {
  for (const item of items) {
    let isFound = false;
    for (const other of others) {
      isFound = yield* sameAnswers(item, other, same);
      if (isFound) break;
    }
    if (!isFound) return false;
  }
  return true;
}

/** The same answer, each of its values replaced. */
export function* mapValues<A, B>(answer: Answer<A>, replace: (value: A) => Steps<B>): Steps<Answer<B>> {
  switch (answer.kind) {
    case 'value':
      return { ...answer, value: yield* replace(answer.value) };
    case 'named':
      return { ...answer, answer: yield* mapValues(answer.answer, replace) };
    case 'infinity':
      return answer;
    case 'list':
      return { ...answer, items: yield* mapAll(answer.items, replace) };
    case 'union':
      return { ...answer, parts: yield* mapAll(answer.parts, replace) };
  }
}

function* mapAll<A, B>(answers: readonly Answer<A>[], replace: (value: A) => Steps<B>): Steps<Answer<B>[]> {
  const replaced: Answer<B>[] = [];
  for (const answer of answers) replaced.push(yield* mapValues(answer, replace));
  return replaced;
}
