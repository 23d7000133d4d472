import { isIP } from 'node:net';
import { parseAddress } from './address-table.js';
import type { BlockReason } from './errors.js';
import { createGuard, type Guard } from './guard.js';
import { isLocalhost } from './host-name.js';
import type { EgressPolicy, EgressSettings } from './policy.js';
import { lookUp, type Resolve, systemResolve } from './resolve.js';
import { type ReadUrl, readUrl } from './url.js';

/** Why a URL may not be requested. */
export type UrlViolation = BlockReason | 'dns_failed';

/** `pinned` are the only addresses a connection may use; `host` is an address or a name without its final dot. */
export type Verdict =
  | { allowed: true; url: URL; host: string; port: number; pinned: readonly string[] }
  | { allowed: false; reason: UrlViolation };

export interface UrlCheckOptions {
  policy: EgressPolicy;
  settings?: EgressSettings;
  resolve?: Resolve;
  signal?: AbortSignal;
}

/** Decides whether a URL may be requested, with one lookup. Rejects only when `signal` is aborted, with its reason. */
export async function checkUrl(text: string, options: UrlCheckOptions): Promise<Verdict> {
  const guard = createGuard(options.policy, options.settings);
  const read = readUrl(text, guard);
  if (typeof read === 'string') return { allowed: false, reason: read };
  return checkAddresses(read, {
    guard,
    resolve: options.resolve ?? systemResolve,
    signal: options.signal ?? new AbortController().signal,
  });
}

/** The second half of checkUrl, for a URL that has been read: every address must pass. */
export async function checkAddresses(
  read: ReadUrl,
  { guard, resolve, signal }: { guard: Guard; resolve: Resolve; signal: AbortSignal },
): Promise<Verdict> {
  const pinned = await addressesOf(read.host, resolve, signal);
  if (pinned === undefined) return { allowed: false, reason: 'dns_failed' };
  for (const text of pinned) {
    const address = parseAddress(text);
    if (address === undefined) return { allowed: false, reason: 'dns_failed' };
    const reason = guard.violation(address, read.url.protocol);
    if (reason !== undefined) return { allowed: false, reason };
  }
  return { allowed: true, ...read, pinned };
}

async function addressesOf(
  host: string,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  if (isIP(host) !== 0) return [host];
  return isLocalhost(host) ? ['127.0.0.1', '::1'] : lookUp(host, resolve, signal);
}
