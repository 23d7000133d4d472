import { sha256Of } from '@agentclash/run-scoring';

/** A graded attempt that may be reviewed. */
export interface Candidate {
  attemptId: string;
  runAgentId: string;
  caseKey: string;
  repetition: number;
}

/** Two outputs to the same case and repetition; the first has the smaller id. */
export interface DrawnPair {
  first: Candidate;
  second: Candidate;
}

/**
 * Draws pairs, round after round over the cases: each case gives its first pair before one gives its second. Within a
 * case the agents sit in a drawn circle, and a round takes the next pair along it, so that agents take part about
 * equally often and no list of all pairs is made.
 */
export function drawPairs(
  candidates: readonly Candidate[],
  { seed, itemsMax }: { seed: number; itemsMax: number },
): DrawnPair[] {
  const circles = [...groupByCase(candidates).values()].map((group) => {
    const circle = drawn(group, seed, ({ runAgentId, caseKey, repetition }) => [
      runAgentId,
      caseKey,
      repetition,
    ]);
    return pairsOf(circle);
  });
  const pairs: DrawnPair[] = [];
  for (let open = circles; open.length > 0; ) {
    const left: typeof open = [];
    for (const circle of open) {
      if (pairs.length === itemsMax) return pairs;
      const next = circle.next();
      if (next.done) continue;
      pairs.push(next.value);
      left.push(circle);
    }
    open = left;
  }
  return pairs;
}

/** The share of the items, rounded up, that are shown a second time. */
export function drawRepeats<Item extends { id: string }>(
  items: readonly Item[],
  { seed, share }: { seed: number; share: number },
): Item[] {
  return drawn(items, seed, ({ id }) => ['repeat', id]).slice(0, Math.ceil(items.length * share));
}

function groupByCase(candidates: readonly Candidate[]): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const key = JSON.stringify([candidate.caseKey, candidate.repetition]);
    groups.set(key, [...(groups.get(key) ?? []), candidate]);
  }
  return groups;
}

/** Every pair once: those side by side on the circle first, then those at a distance of two, and so on. */
function* pairsOf(circle: readonly Candidate[]): Generator<DrawnPair, undefined> {
  const count = circle.length;
  for (let distance = 1; distance * 2 <= count; distance += 1) {
    // At half the circle each pair is met from both ends.
    const starts = distance * 2 === count ? distance : count;
    for (let start = 0; start < starts; start += 1) {
      const [one, other] = [circle[start], circle[(start + distance) % count]];
      if (one === undefined || other === undefined) continue;
      yield one.attemptId < other.attemptId ? { first: one, second: other } : { first: other, second: one };
    }
  }
  return undefined;
}

/** An order that depends on nothing but the seed and the keys. */
function drawn<Item>(items: readonly Item[], seed: number, keyOf: (item: Item) => unknown[]): Item[] {
  return items
    .map((item) => ({ item, draw: sha256Of([seed, ...keyOf(item)]) }))
    .sort((a, b) => (a.draw < b.draw ? -1 : 1))
    .map(({ item }) => item);
}
