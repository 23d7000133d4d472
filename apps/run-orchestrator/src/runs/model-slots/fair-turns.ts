/** A call that waits for its turn at an account. */
export interface Waiting {
  id: string;
  runId: string;
  askedAtMs: number;
}

/** How a run stands at an account. */
export interface RunStanding {
  held: number;
  /** When it was last given a slot; 0 for never. */
  servedAtMs: number;
}

/**
 * Who is next, while there is room: the run with the fewest slots, of several the one unserved for longest, and of its
 * calls the one that asked first. So runs take turns, however many calls each of them has waiting.
 */
export function nextInTurn(
  waiting: readonly Waiting[],
  standings: ReadonlyMap<string, RunStanding>,
  { room, nowMs }: { room: number; nowMs: number },
): Waiting[] {
  const runs = linesByRun(waiting, standings);
  const chosen: Waiting[] = [];
  while (chosen.length < room && runs.length > 0) {
    runs.sort(byTurn);
    const [first] = runs;
    const next = first?.line.shift();
    if (!first || !next) break;
    chosen.push(next);
    first.held += 1;
    first.servedAtMs = nowMs + chosen.length;
    if (first.line.length === 0) runs.shift();
  }
  return chosen;
}

interface RunInLine extends RunStanding {
  line: Waiting[];
}

function linesByRun(waiting: readonly Waiting[], standings: ReadonlyMap<string, RunStanding>): RunInLine[] {
  const runs = new Map<string, RunInLine>();
  for (const each of [...waiting].sort((a, b) => a.askedAtMs - b.askedAtMs || (a.id < b.id ? -1 : 1))) {
    const { held = 0, servedAtMs = 0 } = standings.get(each.runId) ?? {};
    const run = runs.get(each.runId) ?? { held, servedAtMs, line: [] };
    run.line.push(each);
    runs.set(each.runId, run);
  }
  return [...runs.values()];
}

function byTurn(a: RunInLine, b: RunInLine): number {
  return (
    a.held - b.held ||
    a.servedAtMs - b.servedAtMs ||
    (a.line[0]?.askedAtMs ?? 0) - (b.line[0]?.askedAtMs ?? 0)
  );
}
