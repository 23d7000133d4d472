import { isHostname, isIdnHostname } from './hostname.js';
import { isIpv4, isIpv6 } from './ip-address.js';

const ATOM = "[\\w!#$%&'*+\\-/=?^`{|}~]+";
const IDN_ATOM = "[\\w!#$%&'*+\\-/=?^`{|}~\\u{80}-\\u{10ffff}]+";
const LOCAL = local(ATOM, '\\x20\\x21\\x23-\\x5b\\x5d-\\x7e');
const IDN_LOCAL = local(IDN_ATOM, '\\x20\\x21\\x23-\\x5b\\x5d-\\x7e\\u{80}-\\u{10ffff}');

/** `Mailbox` of RFC 5321. */
export function isEmail(text: string): boolean {
  return isMailbox(text, LOCAL, isHostname);
}

/** `Mailbox` of RFC 6531: the same with letters beyond ASCII. */
export function isIdnEmail(text: string): boolean {
  return isMailbox(text, IDN_LOCAL, isIdnHostname);
}

function isMailbox(text: string, form: RegExp, isDomain: (text: string) => boolean): boolean {
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  if (at < 1 || !form.test(text.slice(0, at))) return false;
  const literal = /^\[(.*)\]$/.exec(domain)?.[1];
  if (literal === undefined) return isDomain(domain);
  return /^ipv6:/i.test(literal) ? isIpv6(literal.slice(5)) : isIpv4(literal);
}

function local(atom: string, quoted: string): RegExp {
  return new RegExp(`^(?:${atom}(?:\\.${atom})*|"(?:[${quoted}]|\\\\[\\x20-\\x7e])*")$`, 'u');
}
