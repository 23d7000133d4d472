import { EgressError } from '../guard/errors.js';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
export const REDIRECTS_MAX = 5;

/** Headers that carry credentials, lower case: they never follow a redirect to another origin. */
export const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
  'x-amz-security-token',
  'x-goog-api-key',
]);

/** The request of one hop, without its address. */
export interface Message {
  method: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array | undefined;
}

/** The parts of the caller's message that came from secrets. */
export interface SecretParts {
  /** Lower case. */
  headers: ReadonlySet<string>;
  body: boolean;
}

export interface Redirect {
  from: URL;
  to: URL;
  status: number;
}

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/** The message that may be sent to `to`. Throws EgressError `redirect_downgrade` or `redirect_secret_body`. */
export function redirected(message: Message, turn: Redirect, secrets: SecretParts): Message {
  if (turn.from.protocol === 'https:' && turn.to.protocol === 'http:') {
    throw new EgressError('redirect_downgrade');
  }
  const next = becomesGet(message.method, turn.status) ? asGet(message) : message;
  if (turn.from.origin === turn.to.origin) return next;
  if (next.body !== undefined && secrets.body) throw new EgressError('redirect_secret_body');
  return { ...next, headers: next.headers.filter(([name]) => maySurvive(name.toLowerCase(), secrets)) };
}

function becomesGet(method: string, status: number): boolean {
  if (status === 303) return method !== 'HEAD';
  return method === 'POST' && (status === 301 || status === 302);
}

function asGet({ headers }: Message): Message {
  return {
    method: 'GET',
    headers: headers.filter(([name]) => !name.toLowerCase().startsWith('content-')),
    body: undefined,
  };
}

function maySurvive(name: string, secrets: SecretParts): boolean {
  return !CREDENTIAL_HEADERS.has(name) && !secrets.headers.has(name);
}
