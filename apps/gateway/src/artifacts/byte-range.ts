import type { ByteRange } from '@agentclash/service-kit';

/**
 * The one range that a `Range` header asks of so many bytes. Undefined, which means the whole, for none, for several, and
 * for one that is malformed or lies outside: servers may ignore those (RFC 9110, 14.2).
 */
export function byteRange(header: string | undefined, bytes: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return start <= end ? { start, end } : undefined;
}
