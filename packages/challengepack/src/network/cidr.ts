/** A text of address form: its family and whether it carries a prefix length. */
export type AddressForm = 'cidr' | 'v4_address' | 'v6_address';

const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const V4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const GROUP = /^[0-9A-Fa-f]{1,4}$/;
const PREFIX_LENGTH = /^(?:0|[1-9][0-9]{0,2})$/;

/**
 * Recognises an IPv4 or IPv6 CIDR (host bits allowed) or a bare address. Octets have no leading zeros; IPv6 has no zone.
 */
export function addressForm(text: string): AddressForm | undefined {
  const slash = text.indexOf('/');
  const address = slash === -1 ? text : text.slice(0, slash);
  const bits = isV4(address) ? 32 : isV6(address) ? 128 : undefined;
  if (bits === undefined) return undefined;
  if (slash === -1) return bits === 32 ? 'v4_address' : 'v6_address';
  const length = text.slice(slash + 1);
  return PREFIX_LENGTH.test(length) && Number(length) <= bits ? 'cidr' : undefined;
}

function isV4(text: string): boolean {
  return V4.test(text);
}

function isV6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2 || text.length > 45) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1);
  const tail = last?.at(-1);
  let count = 0;
  if (last && tail !== undefined && isV4(tail)) {
    last.pop();
    count += 2;
  }
  if (!groups.flat().every((group) => GROUP.test(group))) return false;
  count += groups.flat().length;
  return halves.length === 2 ? count <= 7 : count === 8;
}
