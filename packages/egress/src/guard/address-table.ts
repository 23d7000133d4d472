import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { AddressReason } from './errors.js';

/** An address as bytes; an IPv4-mapped one (`::ffff:0:0/96`) is its IPv4 address. */
export interface Address {
  family: 4 | 6;
  bytes: readonly number[];
}

/** A CIDR block, host bits masked. */
export interface Block extends Address {
  bits: number;
}

const MAPPED_BITS = 96;

/** Reads the standard text forms only: no zone, no leading zeros, no short or numeric IPv4. */
export function parseAddress(text: string): Address | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  return unmap(ipaddr.parse(text).toByteArray());
}

/** Reads `address/bits`; undefined when either part is not exactly that. */
export function parseBlock(text: string): Block | undefined {
  const [, base = '', length = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  if (isIP(base) === 0 || base.includes('%')) return undefined;
  const raw = ipaddr.parse(base).toByteArray();
  const bits = Number(length);
  if (bits > raw.length * 8) return undefined;
  if (isMapped(raw) && bits >= MAPPED_BITS) return masked(raw.slice(12), bits - MAPPED_BITS);
  return masked(raw, bits);
}

/** True when every address of `inner` (a single address counts as a block of one) lies in `outer`. */
export function contains(outer: Block, inner: Address | Block): boolean {
  if (outer.family !== inner.family) return false;
  if ('bits' in inner && inner.bits < outer.bits) return false;
  return outer.bytes.every((byte, index) => (maskOf(outer.bits, index) & (inner.bytes[index] ?? 0)) === byte);
}

function masked(bytes: readonly number[], bits: number): Block {
  return {
    family: bytes.length === 4 ? 4 : 6,
    bytes: bytes.map((byte, index) => byte & maskOf(bits, index)),
    bits,
  };
}

/** The mask of the byte at `index` in a prefix of `bits`. */
function maskOf(bits: number, index: number): number {
  const kept = Math.min(8, Math.max(0, bits - index * 8));
  return (0xff00 >> kept) & 0xff;
}

function unmap(bytes: readonly number[]): Address {
  if (isMapped(bytes)) return { family: 4, bytes: bytes.slice(12) };
  return { family: bytes.length === 4 ? 4 : 6, bytes };
}

function isMapped(bytes: readonly number[]): boolean {
  return bytes.length === 16 && bytes.every((byte, index) => index >= 12 || byte === (index < 10 ? 0 : 0xff));
}

/** The rule of the most specific block for its addresses. Public ones have no reason. */
export interface Range {
  block: Block;
  reason: AddressReason | undefined;
  /** True when a listed CIDR inside the block can open it. */
  isUnlockable: boolean;
}

interface Row {
  reason?: AddressReason;
  isUnlockable: boolean;
  blocks: string[];
}

// IANA special-purpose registries (RFC 6890 and successors), grouped by the reason of the block.
const ROWS: Row[] = [
  { isUnlockable: false, blocks: ['0.0.0.0/0', '2000::/3'] },
  {
    reason: 'private',
    isUnlockable: true,
    blocks: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
  },
  { reason: 'loopback', isUnlockable: true, blocks: ['127.0.0.0/8', '::1/128'] },
  { reason: 'link_local', isUnlockable: true, blocks: ['169.254.0.0/16', 'fe80::/10'] },
  { reason: 'shared', isUnlockable: true, blocks: ['100.64.0.0/10'] },
  { reason: 'site_local', isUnlockable: true, blocks: ['fec0::/10'] },
  { reason: 'benchmarking', isUnlockable: true, blocks: ['198.18.0.0/15', '2001:2::/48'] },
  {
    reason: 'documentation',
    isUnlockable: true,
    blocks: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  },
  {
    reason: 'protocol',
    isUnlockable: true,
    blocks: [
      '192.0.0.0/24',
      '192.31.196.0/24',
      '192.52.193.0/24',
      '192.175.48.0/24',
      '2001::/23',
      '2620:4f:8000::/48',
      '5f00::/16',
    ],
  },
  { reason: 'discard', isUnlockable: true, blocks: ['100::/64', '100:0:0:1::/64'] },
  { reason: 'reserved', isUnlockable: true, blocks: ['240.0.0.0/4'] },
  { reason: 'reserved', isUnlockable: false, blocks: ['::/0'] },
  // These hide a second address behind the one that is checked.
  {
    reason: 'transition',
    isUnlockable: false,
    blocks: [
      '192.88.99.0/24',
      '::/96',
      '::ffff:0:0:0/96',
      '64:ff9b::/96',
      '64:ff9b:1::/48',
      '2001::/32',
      '2002::/16',
    ],
  },
  { reason: 'unspecified', isUnlockable: false, blocks: ['0.0.0.0/8', '::/128'] },
  { reason: 'multicast', isUnlockable: true, blocks: ['224.0.0.0/4', 'ff00::/8'] },
  { reason: 'broadcast', isUnlockable: false, blocks: ['255.255.255.255/32'] },
];

const RANGES: Range[] = ROWS.flatMap(({ reason, isUnlockable, blocks }) =>
  blocks.map((text) => ({ block: known(parseBlock(text), text), reason, isUnlockable })),
).sort((a, b) => b.block.bits - a.block.bits);

/** Credential services of the clouds. No setting opens them. */
export const METADATA_ADDRESSES = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fe80::a9fe:a9fe',
];
const METADATA = METADATA_ADDRESSES.map((text) => known(parseAddress(text), text));

/** Blocks of addresses that are not public and that no listed CIDR opens. */
export const NEVER_OPENED_BLOCKS = ROWS.filter(
  ({ reason, isUnlockable }) => reason !== undefined && !isUnlockable,
).flatMap(({ blocks }) => blocks);

/** The most specific block an address lies in. */
export function rangeOf(address: Address): Range {
  return known(
    RANGES.find(({ block }) => contains(block, address)),
    'every address',
  );
}

export function isMetadataAddress(address: Address): boolean {
  return METADATA.some(
    (known) =>
      known.family === address.family && known.bytes.every((byte, index) => byte === address.bytes[index]),
  );
}

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`the address table does not cover ${what}`);
  return value;
}
