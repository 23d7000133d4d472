import { SECRET_SCHEME } from '@agentclash/domain';
import { isPlaceholder, secretKeysOf, templateParts } from './placeholder.js';
import { isPlainHttpToPublicHost } from './plain-http.js';

type Headers = Readonly<Record<string, string>>;

/** A problem of a URL or of a header, in words for the author. */
export interface ServerProblem {
  code: 'wrong_reference' | 'invalid_url' | 'secret_over_http' | 'header_not_allowed';
  message: string;
}

/** Set by the protocol, or by the client that frames the requests. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'mcp-protocol-version',
  'mcp-session-id',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The secrets that the headers of servers hold. */
export function serverSecrets(servers: readonly { name: string; headers?: Headers | undefined }[]): string[] {
  return servers.flatMap(({ headers = {} }) => secretsIn(headers));
}

function secretsIn(headers: Headers): string[] {
  return Object.values(headers).flatMap(secretKeysOf);
}

/** Why no server can be called at a URL with these headers. Its addresses are checked at each request. */
export function serverUrlProblem(text: string, headers: Headers): ServerProblem | undefined {
  const invalid = (message: string): ServerProblem => ({ code: 'invalid_url', message });
  if (text.includes('${')) return { code: 'wrong_reference', message: 'is literal: secrets are for headers' };
  if (/[\s\p{Cc}]/u.test(text)) return invalid('must not hold blanks or control characters');
  const url = parsedUrl(text);
  if (url === undefined) return invalid('must be an absolute URL such as https://mcp.example.com/mcp');
  const { protocol, username, password, hash } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return invalid('must begin with https:// or http://');
  if (username !== '' || password !== '') {
    return invalid('must not hold a user name or password: a header may hold a secret');
  }
  if (hash !== '') return invalid('must not hold a fragment');
  if (secretsIn(headers).length === 0 || !isPlainHttpToPublicHost(text)) return undefined;
  const message = 'sends a secret over plain http to a public host, where others can read it: write https';
  return { code: 'secret_over_http', message };
}

/** The host of a URL, as a URL spells it; undefined for a text that is none. */
export function hostOf(url: string): string | undefined {
  return parsedUrl(url)?.hostname;
}

function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Why a server is not sent a header, or not with this value. */
export function serverHeaderProblem(name: string, value: string): ServerProblem | undefined {
  const lower = name.toLowerCase();
  if (RESERVED_HEADERS.has(lower) || lower.startsWith('proxy-')) {
    return { code: 'header_not_allowed', message: 'is set by the protocol' };
  }
  if (value.includes(SECRET_SCHEME)) {
    return { code: 'wrong_reference', message: 'names a secret as ${secrets.KEY}' };
  }
  const wrong = templateParts(value).find(
    (part) =>
      typeof part !== 'string' && !(isPlaceholder(part) && part.ref.kind === 'secret' && !part.encoding),
  );
  if (wrong === undefined) return undefined;
  const message = 'may hold ${secrets.KEY} and no other placeholder: write $${ for a literal ${';
  return { code: 'wrong_reference', message };
}
