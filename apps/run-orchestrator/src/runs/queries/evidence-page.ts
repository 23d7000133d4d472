/** Rows that are read at once, unless one attempt has more. */
const EVENTS_MAX = 500;
/** Bytes of the events in one reply, unless a single event has more; the bus carries 8 MiB, a NATS of default settings 1 MiB. */
export const REPLY_BYTES_MAX = 786_432;

/** How many of the attempts, at least one, are read together. */
export function readTogether(attempts: readonly { eventCount: number }[]): number {
  return fitting(
    attempts.map(({ eventCount }) => eventCount),
    EVENTS_MAX,
  );
}

/** How many of the histories, at least one, go into one reply. */
export function sentTogether(histories: readonly (readonly object[])[]): number {
  const sizes = histories.map((events) => events.reduce((sum: number, event) => sum + eventBytes(event), 0));
  return fitting(sizes, REPLY_BYTES_MAX);
}

/** Of an event as it travels: short payloads are a small part of it. */
export function eventBytes(event: object): number {
  return Buffer.byteLength(JSON.stringify(event));
}

function fitting(sizes: readonly number[], max: number): number {
  let sum = 0;
  const count = sizes.findIndex((size, index) => {
    sum += size;
    return index > 0 && sum > max;
  });
  return count < 0 ? sizes.length : count;
}
