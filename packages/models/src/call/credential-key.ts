import type { Credential } from '../account.js';
import { TryFailure } from './try-failure.js';

// What a header can carry; a line break at the end of a stored key is no part of it.
const KEY = /^[\x21-\x7e]+$/;

/** The key to send; empty when there is none and none is needed. Throws TryFailure `auth`. */
export function keyOf(credential: Credential | undefined, { isNeeded }: { isNeeded: boolean }): string {
  if (credential === undefined && !isNeeded) return '';
  const key = credential?.reveal().trim() ?? '';
  if (!KEY.test(key)) throw new TryFailure({ fault: 'no_credential' });
  return key;
}
