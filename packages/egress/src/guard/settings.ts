import { checkSettings } from './guard.js';
import type { EgressSettings } from './policy.js';

/** The operator's environment variables, unchanged. */
export type EgressEnvironment = Readonly<
  Partial<Record<'EGRESS_PRIVATE' | 'EGRESS_DENY' | 'EGRESS_PORTS' | 'OPERATOR_UNLOCK', string>>
>;

/**
 * Reads the settings; lists are separated by commas or spaces, ports may be `any`. Throws RangeError with every entry
 * that cannot be read: a setting that is meant to forbid something must never be skipped.
 */
export function parseEgressSettings(environment: EgressEnvironment): EgressSettings {
  const settings: EgressSettings = {
    privateUnlock: parsePrivate(environment.EGRESS_PRIVATE ?? ''),
    deny: listOf(environment.EGRESS_DENY),
    ports: parsePorts(environment.EGRESS_PORTS),
    operatorUnlock: listOf(environment.OPERATOR_UNLOCK),
  };
  checkSettings(settings);
  return settings;
}

function parsePrivate(text: string): EgressSettings['privateUnlock'] {
  const value = text.trim().toLowerCase();
  if (value === '' || value === 'allowlisted') return 'allowlisted';
  if (value === 'never') return 'never';
  throw new RangeError(`EGRESS_PRIVATE is allowlisted or never, not ${text}`);
}

function parsePorts(text: string | undefined): EgressSettings['ports'] {
  const entries = listOf(text);
  if (entries.length === 0 || (entries.length === 1 && entries[0]?.toLowerCase() === 'any')) return 'any';
  const unread = entries.filter((entry) => !/^[1-9]\d{0,4}$/.test(entry) || Number(entry) > 65_535);
  if (unread.length > 0) throw new RangeError(`EGRESS_PORTS holds what is no port: ${unread.join(', ')}`);
  return entries.map(Number);
}

function listOf(text = ''): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '');
}

/** The networks that endpoints and provider accounts reach where loopback is allowed. */
export const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1/128'] as const;
