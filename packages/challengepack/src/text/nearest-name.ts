import { compareCodePoints } from './code-points.js';

const EDITS_MAX = 2;
/** Shorter parts identify too little of a name. */
const PART_LENGTH_MIN = 3;

/**
 * The candidate nearest to `name`, at most two edits away (Damerau–Levenshtein, ignoring case; ties by code point).
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: { name: string; edits: number } | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > EDITS_MAX) continue;
    const edits = editDistance(wanted, candidate.toLowerCase());
    if (edits > EDITS_MAX || (best && edits > best.edits)) continue;
    if (!best || edits < best.edits || compareCodePoints(candidate, best.name) < 0) {
      best = { name: candidate, edits };
    }
  }
  return best?.name;
}

/**
 * The name that an author most likely intended: the nearest name, else the only candidate that the written one begins
 * or ends, word by word: `json_path` for `json_path_match`, `mode` for `match_mode`, `claude` for `claude-code`.
 */
export function suggestedName(name: string, candidates: Iterable<string>): string | undefined {
  // An empty name is near to every short one.
  if (name.trim() === '') return undefined;
  const known = [...candidates];
  return nearestName(name, known) ?? onlyNameWith(name, known);
}

function onlyNameWith(part: string, known: readonly string[]): string | undefined {
  const wanted = part.toLowerCase();
  if (wanted.length < PART_LENGTH_MIN) return undefined;
  const longer = known.filter((name) => {
    const words = name.toLowerCase();
    return ['_', '-'].some((sign) => words.startsWith(wanted + sign) || words.endsWith(sign + wanted));
  });
  return longer.length === 1 ? longer[0] : undefined;
}

/** Any number above EDITS_MAX means "too far": counting ends once that is certain. */
function editDistance(left: string, right: string): number {
  const a = [...left];
  const b = [...right];
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let edits = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + cost,
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) edits = Math.min(edits, at(beforePrevious, column - 2) + 1);
      current.push(edits);
      least = Math.min(least, edits);
    }
    // A swap reaches back two rows, at the price of one edit.
    if (least > EDITS_MAX && row > 1 && Math.min(...previous) >= EDITS_MAX) return EDITS_MAX + 1;
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

const COMPARISONS_MAX = 200_000;

/**
 * Suggests names out of what one document declares. Many unknown names among many known ones would take long: beyond a
 * number of comparisons nothing is suggested any more.
 */
export class NameFinder {
  #comparisons = 0;

  suggest(name: string, known: ReadonlySet<string>): string | undefined {
    this.#comparisons += known.size;
    return this.#comparisons > COMPARISONS_MAX ? undefined : suggestedName(name, known);
  }
}
