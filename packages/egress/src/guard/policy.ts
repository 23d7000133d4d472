/**
 * By whose rules a request is checked. `pack`: a pack's `network_allowlist` (empty means public addresses only).
 * `operator`: model providers and endpoints; public addresses and what the operator unlocked. With `plainHttp` `unlocked`,
 * http goes only to addresses that the operator unlocked.
 */
export type EgressPolicy =
  | { kind: 'pack'; allowlist: readonly string[] }
  | { kind: 'operator'; plainHttp?: 'unlocked' };

/** The settings of an installation's operator. */
export interface EgressSettings {
  /** `never` forbids every pack to unlock a non-public range. */
  privateUnlock: 'allowlisted' | 'never';
  /** CIDRs, addresses and names (with everything below them) refused to everyone. */
  deny: readonly string[];
  /** Ports packs may use. */
  ports: readonly number[] | 'any';
  /** Non-public CIDRs open to providers and endpoints. */
  operatorUnlock: readonly string[];
}

export const DEFAULT_EGRESS_SETTINGS: EgressSettings = {
  privateUnlock: 'allowlisted',
  deny: [],
  ports: 'any',
  operatorUnlock: [],
};
