import { type Address, type Block, contains, parseAddress, parseBlock } from './block.js';
import type { AddressReason } from './errors.js';

/** The rule of the most specific block for its addresses. Public ones have no reason. */
export interface Range {
  block: Block;
  reason: AddressReason | undefined;
  /** Whether a listed CIDR inside the block can open it. */
  isUnlockable: boolean;
}

interface Row {
  reason?: AddressReason;
  isUnlockable: boolean;
  blocks: string[];
}

// IANA special-purpose registries (RFC 6890 and successors), grouped by the reason of a refusal.
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
