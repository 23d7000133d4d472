/** A run of text that both sides have, or one of them. */
export interface DiffPart {
  in: 'both' | 'left' | 'right';
  text: string;
}

/** Longer texts are compared at their common beginning and end only. */
const WORDS_MAX = 6_000;
/** Texts that differ in more words have little in common: what is between is shown as replaced. */
const EDITS_MAX = 800;

const WORD = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

/** The differences of two texts by words; the parts of a side together are its text. */
export function wordDiff(left: string, right: string): DiffPart[] {
  const [a, b] = [left.match(WORD) ?? [], right.match(WORD) ?? []];
  const start = commonLength(a, b);
  const end = commonLength(a.slice(start).reverse(), b.slice(start).reverse());
  const middle = differences(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return merged([
    { in: 'both', text: a.slice(0, start).join('') },
    ...middle,
    { in: 'both', text: a.slice(a.length - end).join('') },
  ]);
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  const max = Math.min(a.length, b.length);
  let length = 0;
  while (length < max && a[length] === b[length]) length += 1;
  return length;
}

/** By the algorithm of Myers, "An O(ND) difference algorithm" (1986). */
function differences(a: readonly string[], b: readonly string[]): DiffPart[] {
  const rounds = a.length + b.length > WORDS_MAX ? undefined : roundsOf(a, b);
  if (rounds === undefined) {
    return [
      { in: 'left', text: a.join('') },
      { in: 'right', text: b.join('') },
    ];
  }
  const parts: DiffPart[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = rounds.length - 1; x > 0 || y > 0; edits -= 1) {
    const furthest = rounds[edits] ?? new Map<number, number>();
    const k = x - y;
    const isDown = isInsertion(furthest, k, edits);
    const previousX = furthest.get(isDown ? k + 1 : k - 1) ?? 0;
    const previousY = previousX - (isDown ? k + 1 : k - 1);
    while (x > 0 && y > 0 && (edits === 0 || (x > previousX && y > previousY))) {
      x -= 1;
      y -= 1;
      parts.push({ in: 'both', text: a[x] ?? '' });
    }
    if (edits === 0) break;
    if (isDown) parts.push({ in: 'right', text: b[previousY] ?? '' });
    else parts.push({ in: 'left', text: a[previousX] ?? '' });
    [x, y] = [previousX, previousY];
  }
  return parts.reverse();
}

/** For each number of edits the furthest place on each diagonal before it; undefined beyond the limit. */
function roundsOf(a: readonly string[], b: readonly string[]): Map<number, number>[] | undefined {
  const furthest = new Map<number, number>([[1, 0]]);
  const rounds: Map<number, number>[] = [];
  for (let edits = 0; edits <= EDITS_MAX; edits += 1) {
    rounds.push(new Map(furthest));
    for (let k = -edits; k <= edits; k += 2) {
      let x = isInsertion(furthest, k, edits) ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      furthest.set(k, x);
      if (x >= a.length && x - k >= b.length) return rounds;
    }
  }
  return undefined;
}

function isInsertion(furthest: ReadonlyMap<number, number>, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && (furthest.get(k - 1) ?? 0) < (furthest.get(k + 1) ?? 0));
}

/** Successive parts of the same side together, and a side's removed text before its added text. */
function merged(parts: readonly DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  let [left, right] = ['', ''];
  const flush = () => {
    if (left !== '') result.push({ in: 'left', text: left });
    if (right !== '') result.push({ in: 'right', text: right });
    [left, right] = ['', ''];
  };
  for (const part of parts) {
    if (part.text === '') continue;
    if (part.in === 'left') left += part.text;
    else if (part.in === 'right') right += part.text;
    else {
      flush();
      const last = result.at(-1);
      if (last?.in === 'both') last.text += part.text;
      else result.push({ ...part });
    }
  }
  flush();
  return result;
}
