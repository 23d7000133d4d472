/** Rows that are read at once, unless one attempt has more. */
const EVENTS_MAX = 500;
/** Payload bytes of one reply, unless a single attempt has more; the bus carries 8 MiB. */
export const REPLY_BYTES_MAX = 2_097_152;

/** How many of the attempts, at least one, are read together. */
export function readTogether(attempts: readonly { eventCount: number }[]): number {
  return fitting(
    attempts.map(({ eventCount }) => eventCount),
    EVENTS_MAX,
  );
}

/** How many of the histories, at least one, go into one reply. */
export function sentTogether(histories: readonly (readonly { payload: unknown }[])[]): number {
  const sizes = histories.map((events) =>
    events.reduce((sum, { payload }) => sum + Buffer.byteLength(JSON.stringify(payload)), 0),
  );
  return fitting(sizes, REPLY_BYTES_MAX);
}

function fitting(sizes: readonly number[], max: number): number {
  let sum = 0;
  const count = sizes.findIndex((size, index) => {
    sum += size;
    return index > 0 && sum > max;
  });
  return count < 0 ? sizes.length : count;
}
