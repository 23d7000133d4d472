import type { JsonValue } from '../json.js';
import { templateParts } from './placeholder.js';

/** Endings of names that no public server has (RFC 6761, 6762, 8375, 9476 and what private networks use). */
const PRIVATE_SUFFIXES = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'lan',
  'home',
  'home.arpa',
  'svc',
  'test',
  'invalid',
];

/** Blocks of IPv4 that lie in no public network, as their first bits. */
const PRIVATE_BLOCKS: readonly (readonly [address: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
];

/** Loopback, unique local, link-local and documentation addresses. */
const PRIVATE_V6 = /^(?:::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*|2001:db8:.*)$/;

/**
 * True when a url template with a literal host names a public one by plain http, where secrets can be read in transit.
 */
export function isPlainHttpToPublicHost(url: JsonValue | undefined): boolean {
  const host = typeof url === 'string' ? plainHttpHost(url) : undefined;
  return host !== undefined && isPublicHost(host);
}

function plainHttpHost(url: string): string | undefined {
  const [first] = templateParts(url);
  if (typeof first !== 'string' || !/^http:\/\//i.test(first)) return undefined;
  try {
    return new URL(first).hostname;
  } catch {
    return undefined;
  }
}

/** Of a host as a URL spells it: lower-case, addresses in their usual form, IPv6 in brackets. */
export function isPublicHost(host: string): boolean {
  if (host.startsWith('[')) return !PRIVATE_V6.test(host.slice(1, -1));
  if (/^\d+(?:\.\d+){3}$/.test(host)) {
    return !PRIVATE_BLOCKS.some(
      ([block, bits]) => numberOf(host) >>> (32 - bits) === numberOf(block) >>> (32 - bits),
    );
  }
  const name = host.replace(/\.$/, '');
  return name.includes('.') && !PRIVATE_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`));
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
}
