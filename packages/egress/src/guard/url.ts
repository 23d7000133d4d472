import { isIP } from 'node:net';
import type { BlockReason } from './errors.js';
import { hostOf, isMetadataName, isWellFormedName } from './host-name.js';

const URL_BYTES_MAX = 8 * 1024;
const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;
// Everything that URL parsers disagree about, or silently repair: the WHATWG parser drops tabs and line breaks and reads
// a backslash as a slash.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNSAFE = /[\u0000-\u0020\u007f\\]/;
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

/** A URL that is fit to be judged by its addresses. */
export interface ReadUrl {
  url: URL;
  /** An address without brackets, or a lower-case name without a final dot. */
  host: string;
  port: number;
}

export interface NameRules {
  /** Undefined means any. */
  ports: ReadonlySet<number> | undefined;
  denies(name: string): boolean;
}

/**
 * Reads an absolute http(s) URL: raw checks first, then the WHATWG parser, then checks of the parsed value. The first
 * violation wins. The fragment is dropped.
 */
export function readUrl(text: string, rules: NameRules): ReadUrl | BlockReason {
  const raw = violationOfText(text);
  if (raw !== undefined) return raw;
  if (!URL.canParse(text)) return 'invalid_url';
  const url = new URL(text);
  url.hash = '';
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port);
  if (port === undefined || port === 0 || rules.ports?.has(port) === false) return 'port';
  const host = hostOf(url);
  return (isIP(host) === 0 ? violationOfName(host, rules) : undefined) ?? { url, host, port };
}

/** The absolute form of a `Location`, or why it is refused. Absolute and scheme-relative ones keep their raw spelling. */
export function resolveLocation(location: string, base: URL): string | { reason: BlockReason } {
  if (location === '' || UNSAFE.test(location)) return { reason: 'invalid_url' };
  if (SCHEME.test(location)) return location;
  if (location.startsWith('//')) return `${base.protocol}${location}`;
  return URL.canParse(location, base.href) ? new URL(location, base).href : { reason: 'invalid_url' };
}

function violationOfText(text: string): BlockReason | undefined {
  if (text === '' || Buffer.byteLength(text) > URL_BYTES_MAX || UNSAFE.test(text)) return 'invalid_url';
  const [prefix, scheme] = SCHEME.exec(text) ?? [];
  if (prefix === undefined || scheme === undefined) return 'invalid_url';
  if (!/^https?$/i.test(scheme)) return 'scheme';
  const rest = text.slice(prefix.length);
  if (!rest.startsWith('//')) return 'host';
  const authority = /^[^/?#]*/.exec(rest.slice(2))?.[0] ?? '';
  if (/^(:\d*)?$/.test(authority)) return 'host';
  return authority.includes('@') ? 'userinfo' : undefined;
}

function violationOfName(name: string, rules: NameRules): BlockReason | undefined {
  if (!isWellFormedName(name)) return 'host';
  if (isMetadataName(name)) return 'metadata';
  return rules.denies(name) ? 'operator_denied' : undefined;
}

const PATTERN = /^(?<scheme>\*|https?):\/\/(?<host>.+):(?<port>\*|\d+)$/i;

/**
 * True when an address is of one of the origins that a secret is bound to: each `scheme://host:port`, where scheme and
 * port may be `*` for any. In hosts `*` matches any characters, `?` one, and letter case is ignored.
 */
export function isOriginAdmitted({ url, host, port }: ReadUrl, origins: readonly string[]): boolean {
  return origins.some((origin) => {
    const named = PATTERN.exec(origin)?.groups;
    if (named?.scheme === undefined || named.host === undefined) return false;
    if (named.scheme !== '*' && `${named.scheme.toLowerCase()}:` !== url.protocol) return false;
    if (named.port !== '*' && Number(named.port) !== port) return false;
    return matches(host.toLowerCase(), named.host.toLowerCase().replace(/^\[(.*)\]$/, '$1'));
  });
}

// Backtracks to the last star only, so the time is at most host × glob.
function matches(host: string, glob: string): boolean {
  let [at, inGlob, star, resume] = [0, 0, -1, 0];
  while (at < host.length) {
    if (glob[inGlob] === '*') {
      star = inGlob++;
      resume = at;
    } else if (glob[inGlob] === '?' || glob[inGlob] === host[at]) {
      inGlob++;
      at++;
    } else if (star >= 0) {
      inGlob = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  return /^\**$/.test(glob.slice(inGlob));
}
