import type { RowSource } from './row.js';

/** Bytes that are in memory. */
export function bytesSource(bytes: Uint8Array): RowSource {
  return {
    bytes: bytes.length,
    async *stream() {
      yield bytes;
    },
    slice: async (start, end) => Uint8Array.from(bytes.subarray(start, end)).buffer,
  };
}
