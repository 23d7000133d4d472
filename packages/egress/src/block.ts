import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

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
