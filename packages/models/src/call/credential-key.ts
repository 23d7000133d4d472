import type { Credential } from '../model/account.js';
import { CallAttemptError } from './call-attempt-error.js';

// The characters that a header can carry; a trailing line break of a stored key is removed.
const KEY = /^[\x21-\x7e]+$/;

/** The key to send; empty when no credential is needed or given. Throws CallAttemptError `auth`. */
export function keyOf(credential: Credential | undefined, { isNeeded }: { isNeeded: boolean }): string {
  if (credential === undefined && !isNeeded) return '';
  const key = credential?.reveal().trim() ?? '';
  if (!KEY.test(key)) throw new CallAttemptError({ reason: 'no_credential' });
  return key;
}
