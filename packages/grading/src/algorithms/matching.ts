const FREE = -1;

/**
 * The size of a largest one-to-one matching between `left` and `right` items, where `fits` decides which may be paired.
 * Grows the matching by one shortest augmenting path per left item.
 */
export function largestMatching<L, R>(
  left: readonly L[],
  right: readonly R[],
  fits: (left: L, right: R) => boolean,
): number {
  const candidates = fittingPairs(left, right, fits);
  const pairs = {
    ofLeft: new Int32Array(left.length).fill(FREE),
    ofRight: new Int32Array(right.length).fill(FREE),
  };
  let size = 0;
  for (let start = 0; start < left.length; start += 1) {
    if (augment(start, candidates, pairs)) size += 1;
  }
  return size;
}

/** The pairs, by index on the other side. */
interface Pairs {
  readonly ofLeft: Int32Array;
  readonly ofRight: Int32Array;
}

function fittingPairs<L, R>(
  left: readonly L[],
  right: readonly R[],
  fits: (left: L, right: R) => boolean,
): number[][] {
  return left.map((item) => {
    const fitting: number[] = [];
    for (const [index, other] of right.entries()) if (fits(item, other)) fitting.push(index);
    return fitting;
  });
}

/** Looks breadth first for a free right item, then re-pairs along the way back. */
function augment(start: number, candidates: readonly (readonly number[])[], pairs: Pairs): boolean {
  const reachedFrom = new Map<number, number>();
  const queue = [start];
  for (const item of queue) {
    for (const index of candidates[item] ?? []) {
      if (reachedFrom.has(index)) continue;
      reachedFrom.set(index, item);
      const partner = pairs.ofRight[index] ?? FREE;
      if (partner === FREE) {
        repair(index, reachedFrom, pairs);
        return true;
      }
      queue.push(partner);
    }
  }
  return false;
}

/** Pairs a free right item with the one it was reached from, whose old partner goes to the next, and so on. */
function repair(free: number, reachedFrom: ReadonlyMap<number, number>, pairs: Pairs): void {
  for (let index = free; index !== FREE; ) {
    const item = reachedFrom.get(index);
    if (item === undefined) return;
    const released = pairs.ofLeft[item] ?? FREE;
    pairs.ofLeft[item] = index;
    pairs.ofRight[index] = item;
    index = released;
  }
}
