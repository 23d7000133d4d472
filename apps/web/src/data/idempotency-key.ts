const BYTES = 16;

/** A key of its own for one thing to be made, so that sending it twice makes one. */
export function newIdempotencyKey(): string {
  // Not randomUUID, which browsers keep from pages that came over plain HTTP.
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return `web-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
