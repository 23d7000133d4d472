import { opensWith, type WrappedKey } from '../secrets/envelope.js';
import type { KeyRing } from './key-ring.js';

/** What stored secrets require of the keys. */
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
