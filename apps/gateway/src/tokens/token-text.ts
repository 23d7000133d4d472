import { createHash, hkdfSync, randomBytes } from 'node:crypto';

const FORM = /^ac_[\w-]{16,256}$/;

/** A new token: 256 random bits. */
export function newTokenText(): string {
  return `ac_${randomBytes(32).toString('base64url')}`;
}

/** The stored hash of a token, hex. A plain hash suffices for 256 random bits. */
export function tokenHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The token of an `Authorization` header; undefined when it cannot be one. */
export function bearerToken(header: string | undefined): string | undefined {
  const text = /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  return text !== undefined && FORM.test(text) ? text : undefined;
}

/** A JWT in an `Authorization` header; only its form is checked. */
export function bearerJwt(header: string | undefined): string | undefined {
  return /^bearer +([\w-]+\.[\w-]+\.[\w-]*) *$/i.exec(header ?? '')?.[1];
}

/** A key that only the token's holder has. */
export function privateKeyOf(text: string): Buffer {
  return Buffer.from(hkdfSync('sha256', text, '', 'agentclash/gateway/answers/1', 32));
}
