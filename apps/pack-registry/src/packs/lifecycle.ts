import type { LIFECYCLE_STATUSES } from '@agentclash/contracts';

export type LifecycleStatus = (typeof LIFECYCLE_STATUSES)[number];

/** Transitions of a version: forward, and back only from deprecated. The same status is always allowed. */
const MOVES: Record<LifecycleStatus, readonly LifecycleStatus[]> = {
  runnable: ['deprecated', 'archived'],
  deprecated: ['runnable', 'archived'],
  archived: [],
};

export function canMove(from: LifecycleStatus, to: LifecycleStatus): boolean {
  return from === to || MOVES[from].includes(to);
}
