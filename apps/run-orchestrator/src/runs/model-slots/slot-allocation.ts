import type { SlotOutcome } from '@agentclash/domain';
import { type AdaptiveLimit, nextLimit, startLimit } from './adaptive-limit.js';
import { nextCalls, type QueuedCall, type RunShare } from './call-order.js';

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

/** What is known of an account when slots change hands. Expired slots are left out. */
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
