const BYTES = 16;

/** A new idempotency key: two requests with the same key create one resource. */
export function newIdempotencyKey(): string {
  // Not randomUUID: browsers lack it on pages loaded over plain HTTP.
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return `web-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
