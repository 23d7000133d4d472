import { randomBytes } from 'node:crypto';

const FORM = /^bearer +(acs_[\w-]{43}) *$/i;

/** A new token of a link: 256 random bits. */
export function newShareToken(): string {
  return `acs_${randomBytes(32).toString('base64url')}`;
}

/** The token of a link in an `Authorization` header; undefined when it cannot be one. */
export function bearerShare(header: string | undefined): string | undefined {
  return FORM.exec(header ?? '')?.[1];
}
