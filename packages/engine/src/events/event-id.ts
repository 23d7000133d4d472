import { randomUUID } from 'node:crypto';

/** A UUIDv7 for the given wall time (RFC 9562): ids of later events sort later, to the millisecond. */
export function eventId(nowMs: number): string {
  const time = Math.floor(nowMs).toString(16).padStart(12, '0');
  // A random UUID has its random digits and its variant where version 7 has them, and costs a fraction of random bytes.
  const random = randomUUID();
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
