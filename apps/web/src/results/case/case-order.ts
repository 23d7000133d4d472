import { type CaseRow, type Order, ordered } from '../matrix/cells.js';

/** The keys of the cases of a run in the order in which they are stepped through. */
export function caseOrder(rows: readonly CaseRow[], order: Order, isOnlyDifferent: boolean): string[] {
  return ordered(rows, order)
    .filter((row) => !isOnlyDifferent || isDifferent(row))
    .map(({ caseKey }) => caseKey);
}

/** True when an agent passed more often than another. An agent without a graded attempt differs from none. */
function isDifferent({ cells }: CaseRow): boolean {
  const rates = cells.flatMap((cell) =>
    cell === null || cell.trials === 0 ? [] : cell.successes / cell.trials,
  );
  return new Set(rates).size > 1;
}

interface Adjacent {
  /** From 0; -1 where the case is not among them. */
  position: number;
  previous: string | undefined;
  next: string | undefined;
}

/** The keys before and after a case. One that is not among them is followed by the first. */
export function adjacentTo(keys: readonly string[], caseKey: string): Adjacent {
  const position = keys.indexOf(caseKey);
  return {
    position,
    previous: position > 0 ? keys[position - 1] : undefined,
    next: keys[position + 1],
  };
}
