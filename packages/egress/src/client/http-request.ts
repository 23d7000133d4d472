import { EgressError } from '../guard/errors.js';
import type { EgressPolicy } from '../guard/policy.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const BODILESS_METHODS = new Set(['GET', 'HEAD']);

// These belong to the connection, or to the client that frames and decodes messages.
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'content-length',
  'upgrade',
  'expect',
  'accept-encoding',
]);

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PRINTABLE_LATIN1 = /^[\x20-\x7e\xa0-\xff]*$/;

const HEADERS_MAX = 64;
const HEADER_BYTES_MAX = 16 * 1024;

interface Limits {
  bodyBytesMax: number;
  timeoutMsMax: number;
}

const LIMITS: Record<EgressPolicy['kind'], Limits> = {
  pack: { bodyBytesMax: 1024 * 1024, timeoutMsMax: 60_000 },
  // A long conversation with images, sent to a model.
  operator: { bodyBytesMax: 64 * 1024 * 1024, timeoutMsMax: Number.POSITIVE_INFINITY },
};
const TIMEOUT_MS_DEFAULT = 30_000;

export interface HttpRequestParts {
  method: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  timeoutMs?: number;
}

/** A request that may be sent once its URL has been judged. */
export interface CheckedRequest {
  /** Upper case. */
  method: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** Undefined when there is none, or it is empty. */
  body: Uint8Array | undefined;
  timeoutMs: number;
}

/** Checks everything but the URL before anything is sent. Throws EgressError. */
export function checkHttpRequest(
  parts: HttpRequestParts,
  policy: EgressPolicy['kind'] = 'pack',
): CheckedRequest {
  const method = parts.method.toUpperCase();
  if (!METHODS.has(method)) throw new EgressError('method_not_allowed');
  const headers = Object.entries(parts.headers ?? {});
  checkHeaders(headers);
  const body = checkBody(method, parts.body, LIMITS[policy].bodyBytesMax);
  const timeoutMs = Math.min(parts.timeoutMs ?? TIMEOUT_MS_DEFAULT, LIMITS[policy].timeoutMsMax);
  return { method, headers, body, timeoutMs };
}

function checkHeaders(headers: [string, string][]): void {
  const seen = new Set<string>();
  for (const [header, value] of headers) {
    const name = header.toLowerCase();
    if (!TOKEN.test(header)) throw new EgressError('header_invalid', { header });
    if (OWN_HEADERS.has(name) || name.startsWith('proxy-')) {
      throw new EgressError('header_not_allowed', { header });
    }
    if (seen.has(name) || !PRINTABLE_LATIN1.test(value)) throw new EgressError('header_invalid', { header });
    seen.add(name);
  }
  // Names and values are Latin-1 here: one byte a character.
  const bytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (headers.length > HEADERS_MAX || bytes > HEADER_BYTES_MAX) throw new EgressError('headers_too_large');
}

function checkBody(
  method: string,
  body: string | Uint8Array | undefined,
  bytesMax: number,
): Uint8Array | undefined {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes === undefined || bytes.length === 0) return undefined;
  if (BODILESS_METHODS.has(method)) throw new EgressError('body_not_allowed');
  if (bytes.length > bytesMax) throw new EgressError('body_too_large');
  return bytes;
}
