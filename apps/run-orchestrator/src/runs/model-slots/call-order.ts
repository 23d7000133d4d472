/** A call that waits for its turn at an account. */
export interface QueuedCall {
  id: string;
  runId: string;
  requestedAtMs: number;
}

/** How a run stands at an account. */
export interface RunShare {
  held: number;
  /** When it was last given a slot; 0 for never. */
  servedAtMs: number;
}

/**
 * The next calls while slots are free: of the run with the fewest slots, of several the one unserved for longest, and of its
 * calls the one requested first. So runs alternate, however many calls each of them has waiting.
 */
export function nextCalls(
  waiting: readonly QueuedCall[],
  shares: ReadonlyMap<string, RunShare>,
  { freeSlots, nowMs }: { freeSlots: number; nowMs: number },
): QueuedCall[] {
  const runs = queuesByRun(waiting, shares);
  const chosen: QueuedCall[] = [];
  while (chosen.length < freeSlots && runs.length > 0) {
    runs.sort(byPriority);
    const [first] = runs;
    const next = first?.queue.shift();
    if (!first || !next) break;
    chosen.push(next);
    first.held += 1;
    first.servedAtMs = nowMs + chosen.length;
    if (first.queue.length === 0) runs.shift();
  }
  return chosen;
}

interface QueuedRun extends RunShare {
  queue: QueuedCall[];
}

function queuesByRun(waiting: readonly QueuedCall[], shares: ReadonlyMap<string, RunShare>): QueuedRun[] {
  const runs = new Map<string, QueuedRun>();
  for (const each of [...waiting].sort(
    (a, b) => a.requestedAtMs - b.requestedAtMs || (a.id < b.id ? -1 : 1),
  )) {
    const { held = 0, servedAtMs = 0 } = shares.get(each.runId) ?? {};
    const run = runs.get(each.runId) ?? { held, servedAtMs, queue: [] };
    run.queue.push(each);
    runs.set(each.runId, run);
  }
  return [...runs.values()];
}

function byPriority(a: QueuedRun, b: QueuedRun): number {
  return (
    a.held - b.held ||
    a.servedAtMs - b.servedAtMs ||
    (a.queue[0]?.requestedAtMs ?? 0) - (b.queue[0]?.requestedAtMs ?? 0)
  );
}
