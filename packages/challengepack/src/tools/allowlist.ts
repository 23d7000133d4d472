import { isPublicHost } from './plain-http.js';

/**
 * Why no request can reach a host, as a URL spells it; undefined where only its addresses decide. `allowlist` is that of
 * the pack's network.
 */
export function unreachableHost(host: string, allowlist: readonly string[]): string | undefined {
  const address = addressOf(host);
  if (address === undefined) return undefined;
  if (allowlist.length === 0) {
    return isPublicHost(host)
      ? undefined
      : `${host} is no public address: sandbox.network_allowlist has to list it`;
  }
  if (allowlist.some((cidr) => contains(cidr, address))) return undefined;
  return `${host} lies in no CIDR of sandbox.network_allowlist`;
}

/** The bits of an address as text, 32 or 128; an IPv4-mapped one is its IPv4 address. */
type Bits = string;

function contains(cidr: string, address: Bits): boolean {
  const slash = cidr.lastIndexOf('/');
  const base = rawBits(cidr.slice(0, slash));
  if (base === undefined) return true;
  const length = Number(cidr.slice(slash + 1));
  const isMapped = base.startsWith(MAPPED) && length >= MAPPED.length;
  const [block, bits] = isMapped ? [base.slice(MAPPED.length), length - MAPPED.length] : [base, length];
  return block.length === address.length && block.slice(0, bits) === address.slice(0, bits);
}

const MAPPED = '0'.repeat(80) + '1'.repeat(16);

/** Of a host that is an address; undefined for a name. */
function addressOf(host: string): Bits | undefined {
  const bits = rawBits(host.startsWith('[') ? host.slice(1, -1) : host);
  return bits?.startsWith(MAPPED) && bits.length === 128 ? bits.slice(MAPPED.length) : bits;
}

function rawBits(text: string): Bits | undefined {
  if (/^\d+(?:\.\d+){3}$/.test(text)) return text.split('.').map(octetBits).join('');
  if (!text.includes(':')) return undefined;
  const [head = '', tail] = text.split('::');
  const before = groupBits(head);
  const after = tail === undefined ? '' : groupBits(tail);
  return before + '0'.repeat(Math.max(0, 128 - before.length - after.length)) + after;
}

/** Groups of four hexadecimal digits, the last two of which may be written as an IPv4 address. */
function groupBits(text: string): Bits {
  if (text === '') return '';
  const groups = text.split(':').map((group) => {
    if (group.includes('.')) return group.split('.').map(octetBits).join('');
    return Number.parseInt(group, 16).toString(2).padStart(16, '0');
  });
  return groups.join('');
}

function octetBits(octet: string): Bits {
  return Number(octet).toString(2).padStart(8, '0');
}
