import idna from 'idn-hostname';
import { PATTERN_SIZE_MAX } from './limits.js';
import { compilePattern, patternSize } from './pattern.js';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[zZ]|([+-])(\d{2}):(\d{2}))$/;
const DURATION =
  /^P(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?|T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))$/;

const DAY_MINUTES = 24 * 60;

/** `full-date` of RFC 3339. */
function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** `full-time` of RFC 3339; second 60 only where a leap second can be, at the end of a day of UTC. */
function isTime(text: string): boolean {
  const match = TIME.exec(text);
  if (match === null) return false;
  const [hour = 0, minute = 0, second = 0] = match.slice(1, 4).map(Number);
  const [offsetHour = 0, offsetMinute = 0] = [match[5] ?? 0, match[6] ?? 0].map(Number);
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (match[4] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  const utc = (hour * 60 + minute - offset + 2 * DAY_MINUTES) % DAY_MINUTES;
  return utc === DAY_MINUTES - 1;
}

/** `date-time` of RFC 3339. */
function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && /^[tT]$/.test(text.slice(10, 11)) && isTime(text.slice(11));
}

/** `duration` of RFC 3339, appendix A. */
function isDuration(text: string): boolean {
  return DURATION.test(text);
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return isLeap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const ATOM = "[\\w!#$%&'*+\\-/=?^`{|}~]+";
const IDN_ATOM = "[\\w!#$%&'*+\\-/=?^`{|}~\\u{80}-\\u{10ffff}]+";
const LOCAL = local(ATOM, '\\x20\\x21\\x23-\\x5b\\x5d-\\x7e');
const IDN_LOCAL = local(IDN_ATOM, '\\x20\\x21\\x23-\\x5b\\x5d-\\x7e\\u{80}-\\u{10ffff}');

/** `Mailbox` of RFC 5321. */
function isEmail(text: string): boolean {
  return isMailbox(text, LOCAL, isHostname);
}

/** `Mailbox` of RFC 6531: the same with letters beyond ASCII. */
function isIdnEmail(text: string): boolean {
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

const NAME_MAX = 253;
/** A character of a host name takes at most so many UTF-16 units. */
const UNITS_MAX = 2 * NAME_MAX;
const LABEL = /^[0-9A-Za-z](?:[-0-9A-Za-z]{0,61}[0-9A-Za-z])?$/;

/** RFC 1123 section 2.1; a label that begins with `xn--` must be one of IDNA (RFC 5890). */
function isHostname(text: string): boolean {
  if (text.length > NAME_MAX) return false;
  const labels = text.split('.');
  if (!labels.every((label) => LABEL.test(label))) return false;
  return labels.every((label) => !isReserved(label) || (isEncoded(label) && isIdna(label)));
}

/** RFC 5890: labels may be written with letters beyond ASCII; the dots of IDNA 2003 separate as well. */
function isIdnHostname(text: string): boolean {
  if (text.length > UNITS_MAX || /^[.\u3002\uff0e\uff61]|[.\u3002\uff0e\uff61]$/u.test(text)) return false;
  return isIdna(text);
}

/** RFC 5890 section 2.3.1: two hyphens in third and fourth place are reserved, and `xn` is the only prefix in use. */
function isReserved(label: string): boolean {
  return label.slice(2, 4) === '--';
}

function isEncoded(label: string): boolean {
  return label.slice(0, 2).toLowerCase() === 'xn';
}

/** The library throws at whatever is no host name. */
function isIdna(text: string): boolean {
  try {
    return idna.isIdnHostname(text);
  } catch {
    return false;
  }
}

const OCTET = /^(?:0|[1-9]\d{0,2})$/;

/** Dotted quad of RFC 2673, without leading zeros. */
function isIpv4(text: string): boolean {
  const octets = text.split('.');
  return octets.length === 4 && octets.every((octet) => OCTET.test(octet) && Number(octet) <= 255);
}

/** RFC 4291 section 2.2: eight groups, at most one run of them left out, the last two perhaps as IPv4. No zone. */
function isIpv6(text: string): boolean {
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

/** RFC 3986 appendix B: splits every text. */
const PARTS = /^(?:([^:/?#]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;
const ENCODED = '%[0-9A-Fa-f]{2}';
const UNRESERVED = "A-Za-z0-9\\-._~!$&'()*+,;=";
/** `ucschar` and `iprivate` of RFC 3987. */
const UCSCHAR =
  '\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}' +
  Array.from({ length: 14 }, (_, at) => (at + 1).toString(16))
    .map((plane) => `\\u{${plane === 'e' ? 'e1' : `${plane}0`}000}-\\u{${plane}fffd}`)
    .join('');
const IPRIVATE = '\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}';

interface Alphabet {
  userinfo: RegExp;
  name: RegExp;
  path: RegExp;
  query: RegExp;
  fragment: RegExp;
}

const ASCII = alphabet('', '');
const INTERNATIONAL = alphabet(UCSCHAR, IPRIVATE);

const isUri = (text: string) => isReference(text, ASCII, { isAbsolute: true });
const isUriReference = (text: string) => isReference(text, ASCII, { isAbsolute: false });
const isIri = (text: string) => isReference(text, INTERNATIONAL, { isAbsolute: true });
const isIriReference = (text: string) => isReference(text, INTERNATIONAL, { isAbsolute: false });

/** RFC 6570 section 2. */
const VARIABLE = `(?:\\w|${ENCODED})+(?:\\.(?:\\w|${ENCODED})+)*(?:\\*|:[1-9]\\d{0,3})?`;
const TEMPLATE = new RegExp(
  `^(?:[\\x21\\x23-\\x24\\x26-\\x3b\\x3d\\x3f-\\x5b\\x5d\\x5f\\x61-\\x7a\\x7e${UCSCHAR}${IPRIVATE}]|${ENCODED}|\\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\\})*$`,
  'u',
);

function isUriTemplate(text: string): boolean {
  return TEMPLATE.test(text);
}

function isReference(text: string, form: Alphabet, { isAbsolute }: { isAbsolute: boolean }): boolean {
  const [, scheme, authority, path = '', query = '', fragment = ''] = PARTS.exec(text) ?? [];
  if (scheme === undefined ? isAbsolute : !SCHEME.test(scheme)) return false;
  if (authority !== undefined && !(isAuthority(authority, form) && /^(?:\/|$)/.test(path))) return false;
  return form.path.test(path) && form.query.test(query) && form.fragment.test(fragment);
}

function isAuthority(authority: string, form: Alphabet): boolean {
  const at = authority.lastIndexOf('@');
  const host = /^(?:\[(.*)\]|([^:]*))(?::(\d*))?$/u.exec(authority.slice(at + 1));
  if (host === null || (at >= 0 && !form.userinfo.test(authority.slice(0, at)))) return false;
  const [, literal, name = ''] = host;
  return literal === undefined ? form.name.test(name) : isIpLiteral(literal);
}

function isIpLiteral(literal: string): boolean {
  return isIpv6(literal) || new RegExp(`^v[0-9A-Fa-f]+\\.[${UNRESERVED}:]+$`, 'i').test(literal);
}

function alphabet(letters: string, inQuery: string): Alphabet {
  const only = (more: string) => new RegExp(`^(?:[${UNRESERVED}${letters}${more}]|${ENCODED})*$`, 'u');
  return {
    userinfo: only(':'),
    name: only(''),
    path: only(':@/'),
    query: only(`:@/?${inQuery}`),
    fragment: only(':@/?'),
  };
}

const POINTER = '(?:/(?:[^~/]|~[01])*)*';

/** The formats of the drafts (JSON Schema Validation section 7.3). A format that is not among them asserts nothing. */
export const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map(
  Object.entries({
    date: isDate,
    'date-time': isDateTime,
    duration: isDuration,
    email: isEmail,
    hostname: isHostname,
    'idn-email': isIdnEmail,
    'idn-hostname': isIdnHostname,
    ipv4: isIpv4,
    ipv6: isIpv6,
    iri: isIri,
    'iri-reference': isIriReference,
    'json-pointer': matching(new RegExp(`^${POINTER}$`, 'u')),
    regex: (text: string) => patternSize(text) <= PATTERN_SIZE_MAX && compilePattern(text) !== null,
    'relative-json-pointer': matching(new RegExp(`^(?:0|[1-9][0-9]*)(?:#|${POINTER})$`, 'u')),
    time: isTime,
    uri: isUri,
    'uri-reference': isUriReference,
    'uri-template': isUriTemplate,
    uuid: matching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i),
  }),
);

function matching(form: RegExp): (text: string) => boolean {
  return (text) => form.test(text);
}
