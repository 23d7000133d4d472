import type { PackVersion } from '@agentclash/contracts';

export type LifecycleStatus = PackVersion['lifecycle_status'];

/** Transitions of a version: forward, and back only from deprecated. The same status is always allowed. */
const MOVES: Record<LifecycleStatus, readonly LifecycleStatus[]> = {
  runnable: ['deprecated', 'archived'],
  deprecated: ['runnable', 'archived'],
  archived: [],
};

export function canMove(from: LifecycleStatus, to: LifecycleStatus): boolean {
  return from === to || MOVES[from].includes(to);
}
