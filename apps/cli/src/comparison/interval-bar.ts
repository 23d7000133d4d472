const WIDTH = 21;
const MIDDLE = (WIDTH - 1) / 2;

/**
 * An interval of differences around zero, drawn: `─` from end to end, `●` at the mean, `│` at zero; an end beyond `reach`
 * is an arrow.
 */
export function intervalBar(
  { mean, ci }: { mean: number | null; ci: readonly [number, number] | null },
  reach: number,
): string {
  if (mean === null || !(reach > 0)) return '';
  const cells = Array.from({ length: WIDTH }, () => ' ');
  const column = (value: number) => Math.round(MIDDLE + (value / reach) * MIDDLE);
  const inside = (at: number) => Math.max(0, Math.min(WIDTH - 1, at));
  if (ci !== null) {
    const [from, to] = [column(ci[0]), column(ci[1])];
    for (let at = inside(from); at <= inside(to); at++) cells[at] = '─';
    if (from < 0) cells[0] = '◄';
    if (to > WIDTH - 1) cells[WIDTH - 1] = '►';
  }
  cells[MIDDLE] = '│';
  cells[inside(column(mean))] = '●';
  return cells.join('');
}

/** How far the widest of the intervals reaches from zero: what all bars of one table are drawn by. */
export function reachOf(
  intervals: readonly { mean: number | null; ci: readonly [number, number] | null }[],
): number {
  return Math.max(0, ...intervals.flatMap(({ mean, ci }) => [...(ci ?? []), mean ?? 0].map(Math.abs)));
}
