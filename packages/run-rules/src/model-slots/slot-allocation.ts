import type { SlotOutcome } from '@agentclash/domain';
import { type AdaptiveLimit, nextLimit, startLimit } from './adaptive-limit.js';

/** A slot of an account, held or waited for. */
export interface SlotRow {
  id: string;
  runId: string;
  owner: string;
  requestedAtMs: number;
  /** Null while it waits. */
  heldSinceMs: number | null;
}

/** A slot given back, or a place in the line. */
export interface Release {
  slotId: string;
  owner: string;
  outcome: SlotOutcome;
  retryAfterMs: number;
}

/** The state of an account when slots are allocated. Expired slots are left out. */
export interface AccountState {
  limit: AdaptiveLimit | null;
  /** The account's `max_concurrency`. */
  max: number;
  slots: readonly SlotRow[];
  servedAtMs: ReadonlyMap<string, number>;
}

export interface SlotAllocation {
  limit: AdaptiveLimit;
  released: string[];
  granted: QueuedCall[];
}

/** One change of hands: calls that ended free their slots and shape the limit, waiting ones get what is free. */
export function allocateSlots(
  state: AccountState,
  releases: readonly Release[],
  nowMs: number,
): SlotAllocation {
  const remaining = new Map(state.slots.map((slot) => [slot.id, slot]));
  let limit = state.limit ?? startLimit(state.max);
  const released: string[] = [];
  for (const { slotId, owner, outcome, retryAfterMs } of releases) {
    const slot = remaining.get(slotId);
    // Only who holds a slot gives it back, and only once.
    if (slot?.owner !== owner) continue;
    if (slot.heldSinceMs !== null) {
      limit = nextLimit(limit, { outcome, inUse: heldOf(remaining), nowMs, max: state.max, retryAfterMs });
    }
    remaining.delete(slotId);
    released.push(slotId);
  }
  const freeSlots = nowMs < limit.blockedUntilMs ? 0 : Math.min(limit.limit, state.max) - heldOf(remaining);
  const waiting = [...remaining.values()].filter(({ heldSinceMs }) => heldSinceMs === null);
  return { limit, released, granted: nextCalls(waiting, sharesOf(state, remaining), { freeSlots, nowMs }) };
}

function heldOf(slots: ReadonlyMap<string, SlotRow>): number {
  return [...slots.values()].filter(({ heldSinceMs }) => heldSinceMs !== null).length;
}

function sharesOf({ servedAtMs }: AccountState, slots: ReadonlyMap<string, SlotRow>): Map<string, RunShare> {
  const shares = new Map<string, RunShare>();
  for (const [runId, at] of servedAtMs) shares.set(runId, { held: 0, servedAtMs: at });
  for (const { runId, heldSinceMs } of slots.values()) {
    if (heldSinceMs === null) continue;
    const { held, servedAtMs: at } = shares.get(runId) ?? { held: 0, servedAtMs: 0 };
    shares.set(runId, { held: held + 1, servedAtMs: at });
  }
  return shares;
}

/** A call that waits for its turn at an account. */
export interface QueuedCall {
  id: string;
  runId: string;
  requestedAtMs: number;
}

/** The slots and requests of a run at an account. */
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
