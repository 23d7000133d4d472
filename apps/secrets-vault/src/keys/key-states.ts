import type { KeyRingStatus } from '@agentclash/contracts';
import type { KeyRing, KeySource } from '../key-ring.js';
import { opensWith, type WrappedKey } from './envelope.js';

type KeyState = KeyRingStatus['keys'][number];

/** Every key that is there or needed, sorted by id. */
export function keyStates(
  ring: KeyRing,
  { counts, retiredIds }: { counts: ReadonlyMap<string, number>; retiredIds: readonly string[] },
): KeyState[] {
  const stateOf = (id: string): KeyState['state'] => {
    if (id === ring.activeId) return 'active';
    if (!ring.has(id)) return 'missing';
    return retiredIds.includes(id) ? 'retired' : 'serving';
  };
  const ids = [...new Set([...ring.ids, ...counts.keys()])].sort();
  return ids.map((id) => ({ id, state: stateOf(id), secrets: counts.get(id) ?? 0 }));
}

/** True when something is left to do by itself. In a file that is ours, other keys are there only to be dropped. */
export function isRotating(keys: readonly KeyState[], source: KeySource['kind']): boolean {
  const others = keys.filter(({ state }) => state !== 'active');
  return source === 'managed_file' ? others.length > 0 : others.some(({ secrets }) => secrets > 0);
}

/** `k1`, `k2`, …: one beyond all that there ever were. */
export function nextKeyId(ids: readonly string[]): string {
  const numbers = ids.map((id) => Number(/^k(\d{1,9})$/.exec(id)?.[1] ?? 0));
  return `k${Math.max(0, ...numbers) + 1}`;
}

/** The keys that stored secrets require. */
export interface KeyNeeds {
  /** One wrapped data key for every master key that is needed. */
  samples: readonly WrappedKey[];
  retiredIds: readonly string[];
}

/** Why these keys must not be used; nothing when all that is stored opens with them. */
export function ringProblem(ring: KeyRing, { samples, retiredIds }: KeyNeeds): string | undefined {
  const missing = samples.filter(({ masterKeyId }) => !ring.has(masterKeyId));
  if (missing.length > 0) return `stored secrets need the master keys ${idsOf(missing)}, which are not there`;
  const wrong = samples.filter((sample) => !opensWith(sample, ring));
  if (wrong.length > 0)
    return `the master keys ${idsOf(wrong)} are not those that wrapped the stored secrets`;
  if (retiredIds.includes(ring.activeId)) return `the active master key ${ring.activeId} was retired`;
  return undefined;
}

function idsOf(samples: readonly WrappedKey[]): string {
  return samples
    .map(({ masterKeyId }) => masterKeyId)
    .sort()
    .join(', ');
}
