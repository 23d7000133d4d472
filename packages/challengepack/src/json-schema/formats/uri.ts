import { isIpv6 } from './ip-address.js';

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

export const isUri = (text: string) => isReference(text, ASCII, { isAbsolute: true });
export const isUriReference = (text: string) => isReference(text, ASCII, { isAbsolute: false });
export const isIri = (text: string) => isReference(text, INTERNATIONAL, { isAbsolute: true });
export const isIriReference = (text: string) => isReference(text, INTERNATIONAL, { isAbsolute: false });

/** RFC 6570 section 2. */
const VARIABLE = `(?:\\w|${ENCODED})+(?:\\.(?:\\w|${ENCODED})+)*(?:\\*|:[1-9]\\d{0,3})?`;
const TEMPLATE = new RegExp(
  `^(?:[\\x21\\x23-\\x24\\x26-\\x3b\\x3d\\x3f-\\x5b\\x5d\\x5f\\x61-\\x7a\\x7e${UCSCHAR}${IPRIVATE}]|${ENCODED}|\\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\\})*$`,
  'u',
);

export function isUriTemplate(text: string): boolean {
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
