import type { Solution } from './solution.js';

type SameValues<V> = (a: V, b: V) => boolean;
type List<V> = Extract<Solution<V>, { kind: 'list' }>;

/**
 * Whether two solutions are the same. A unit or a name that only one side has does not count, different ones differ.
 * Lists agree in brackets, order and length; a set in braces knows neither order nor repetition, nor does a list without
 * brackets that is compared with one.
 */
export function sameSolutions<V>(a: Solution<V>, b: Solution<V>, same: SameValues<V>): boolean {
  if (a.kind === 'named' && b.kind === 'named') {
    return a.name === b.name && sameSolutions(a.solution, b.solution, same);
  }
  if (a.kind === 'named') return sameSolutions(a.solution, b, same);
  if (b.kind === 'named') return sameSolutions(a, b.solution, same);
  if (a.kind === 'value' && b.kind === 'value') {
    const isOtherUnit = a.unit !== null && b.unit !== null && a.unit !== b.unit;
    return !isOtherUnit && same(a.value, b.value);
  }
  if (a.kind === 'infinity' && b.kind === 'infinity') return a.isNegative === b.isNegative;
  if (a.kind === 'union' && b.kind === 'union') return sameSets(a.parts, b.parts, same);
  if (a.kind === 'list' && b.kind === 'list') return sameLists(a, b, same);
  return false;
}

function sameLists<V>(a: List<V>, b: List<V>, same: SameValues<V>): boolean {
  const kinds = new Set([a.brackets, b.brackets]);
  const isSet = kinds.has('{}') && (kinds.size === 1 || kinds.has(''));
  if (isSet) return sameSets(a.items, b.items, same);
  if (a.brackets !== b.brackets || a.items.length !== b.items.length) return false;
  for (const [index, item] of a.items.entries()) {
    const other = b.items[index];
    if (other === undefined || !sameSolutions(item, other, same)) return false;
  }
  return true;
}

function sameSets<V>(a: readonly Solution<V>[], b: readonly Solution<V>[], same: SameValues<V>): boolean {
  return isWithin(a, b, same) && isWithin(b, a, same);
}

function isWithin<V>(
  items: readonly Solution<V>[],
  others: readonly Solution<V>[],
  same: SameValues<V>,
): boolean {
  for (const item of items) {
    let isFound = false;
    for (const other of others) {
      isFound = sameSolutions(item, other, same);
      if (isFound) break;
    }
    if (!isFound) return false;
  }
  return true;
}

/** The same solution, each of its values replaced. */
export function mapValues<A, B>(solution: Solution<A>, replace: (value: A) => B): Solution<B> {
  switch (solution.kind) {
    case 'value':
      return { ...solution, value: replace(solution.value) };
    case 'named':
      return { ...solution, solution: mapValues(solution.solution, replace) };
    case 'infinity':
      return solution;
    case 'list':
      return { ...solution, items: mapAll(solution.items, replace) };
    case 'union':
      return { ...solution, parts: mapAll(solution.parts, replace) };
  }
}

function mapAll<A, B>(solutions: readonly Solution<A>[], replace: (value: A) => B): Solution<B>[] {
  const replaced: Solution<B>[] = [];
  for (const solution of solutions) replaced.push(mapValues(solution, replace));
  return replaced;
}
