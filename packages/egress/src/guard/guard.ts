import {
  type Address,
  type Block,
  contains,
  isMetadataAddress,
  parseAddress,
  parseBlock,
  rangeOf,
} from './address-table.js';
import type { BlockReason } from './errors.js';
import { canonicalName, isAtOrBelow } from './host-name.js';
import { DEFAULT_EGRESS_SETTINGS, type EgressPolicy, type EgressSettings } from './policy.js';

/** A policy and the operator's settings, read once and ready to check requests. */
export interface Guard {
  /** Undefined means any. */
  ports: ReadonlySet<number> | undefined;
  denies(name: string): boolean;
  /** Undefined when a connection may be made. */
  violation(address: Address, protocol?: string): BlockReason | undefined;
}

/** Throws RangeError, naming every entry, when an operator setting cannot be read. */
export function createGuard(policy: EgressPolicy, settings = DEFAULT_EGRESS_SETTINGS): Guard {
  const denied = readDenied(settings.deny);
  const lists = policy.kind === 'pack' ? packLists(policy.allowlist, settings) : operatorLists(settings);
  const isPlainRefused = policy.kind === 'operator' && policy.plainHttp === 'unlocked';
  return {
    ports: policy.kind === 'pack' && settings.ports !== 'any' ? new Set(settings.ports) : undefined,
    denies: (name) => denied.names.some((known) => isAtOrBelow(name, known)),
    violation(address, protocol) {
      if (isMetadataAddress(address)) return 'metadata';
      if (denied.blocks.some((block) => contains(block, address))) return 'operator_denied';
      if (lists === undefined) return 'invalid_allowlist';
      const range = rangeOf(address);
      if (range.reason === undefined) {
        if (isPlainRefused && protocol === 'http:') return 'scheme';
        const admitted = lists.publicOnly === undefined || admits(lists.publicOnly, address);
        return admitted ? undefined : 'not_allowlisted';
      }
      const opening = range.isUnlockable ? lists.unlocks.filter((block) => contains(range.block, block)) : [];
      return admits(opening, address) ? undefined : range.reason;
    },
  };
}

/** Throws RangeError, naming every entry, when settings hold what is neither a CIDR, an address nor a name. */
export function checkSettings(settings: EgressSettings): void {
  readDenied(settings.deny);
  operatorLists(settings);
}

interface Lists {
  /** The public addresses admitted; undefined means all. */
  publicOnly: Block[] | undefined;
  unlocks: Block[];
}

function packLists(allowlist: readonly string[], settings: EgressSettings): Lists | undefined {
  const blocks: Block[] = [];
  for (const entry of allowlist) {
    const block = parseBlock(entry);
    if (block === undefined) return undefined;
    blocks.push(block);
  }
  return {
    publicOnly: blocks.length === 0 ? undefined : blocks,
    unlocks: settings.privateUnlock === 'allowlisted' ? blocks : [],
  };
}

function operatorLists(settings: EgressSettings): Lists {
  const unlocks: Block[] = [];
  const unread: string[] = [];
  for (const entry of settings.operatorUnlock) {
    const block = parseBlock(entry) ?? singleAddress(entry);
    if (block === undefined) unread.push(entry);
    else unlocks.push(block);
  }
  if (unread.length > 0) throw new RangeError(`OPERATOR_UNLOCK holds what is no CIDR: ${unread.join(', ')}`);
  return { publicOnly: undefined, unlocks };
}

function readDenied(entries: readonly string[]): { names: string[]; blocks: Block[] } {
  const names: string[] = [];
  const blocks: Block[] = [];
  const unread: string[] = [];
  for (const entry of entries) {
    const block = parseBlock(entry) ?? singleAddress(entry);
    const name = block === undefined ? canonicalName(entry) : undefined;
    if (block !== undefined) blocks.push(block);
    else if (name !== undefined) names.push(name);
    else unread.push(entry);
  }
  if (unread.length > 0) {
    throw new RangeError(`EGRESS_DENY holds what is neither a CIDR nor a name: ${unread.join(', ')}`);
  }
  return { names, blocks };
}

function singleAddress(text: string): Block | undefined {
  const address = parseAddress(text);
  return address && { ...address, bits: address.bytes.length * 8 };
}

function admits(blocks: readonly Block[], address: Address): boolean {
  return blocks.some((block) => contains(block, address));
}
