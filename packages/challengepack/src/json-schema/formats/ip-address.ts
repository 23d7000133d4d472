const OCTET = /^(?:0|[1-9]\d{0,2})$/;

/** Dotted quad of RFC 2673, without leading zeros. */
export function isIpv4(text: string): boolean {
  const octets = text.split('.');
  return octets.length === 4 && octets.every((octet) => OCTET.test(octet) && Number(octet) <= 255);
}

/** RFC 4291 section 2.2: eight groups, at most one run of them left out, the last two perhaps as IPv4. No zone. */
export function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const counts = halves.map((half, index) => groupsIn(half, index === halves.length - 1));
  if (counts.includes(Number.NaN)) return false;
  const groups = counts.reduce((sum, count) => sum + count, 0);
  return halves.length === 2 ? groups <= 7 : groups === 8;
}

/** NaN when something is no group. */
function groupsIn(text: string, isLast: boolean): number {
  if (text === '') return 0;
  const groups = text.split(':');
  const hasIpv4 = isLast && (groups.at(-1) ?? '').includes('.');
  const plain = hasIpv4 ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return Number.NaN;
  if (hasIpv4 && !isIpv4(groups.at(-1) ?? '')) return Number.NaN;
  return plain.length + (hasIpv4 ? 2 : 0);
}
