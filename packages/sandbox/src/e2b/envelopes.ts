/** Messages of a Connect stream: a flag byte, a length in four bytes (big endian), JSON. */

const HEADER_BYTES = 5;
const COMPRESSED = 1;
const END = 2;
const MESSAGE_BYTES_MAX = 64 << 20;

export function encodeEnvelope(message: object, flags = 0): Buffer {
  const payload = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = flags;
  header.writeUInt32BE(payload.length, 1);
  return Buffer.concat([header, payload]);
}

/** Throws on a stream that ends with an error, or that is no such stream. */
export async function* decodeEnvelopes<T>(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<T> {
  let pending = Buffer.alloc(0);
  for await (const chunk of chunks) {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= HEADER_BYTES) {
      const flags = pending.readUInt8(0);
      const length = pending.readUInt32BE(1);
      if ((flags & COMPRESSED) !== 0 || length > MESSAGE_BYTES_MAX) throw new Error('unreadable stream');
      if (pending.length < HEADER_BYTES + length) break;
      const message = JSON.parse(pending.toString('utf8', HEADER_BYTES, HEADER_BYTES + length));
      pending = pending.subarray(HEADER_BYTES + length);
      if ((flags & END) === 0) yield message as T;
      else if (message.error) throw new Error(`${message.error.code}: ${message.error.message ?? ''}`);
    }
  }
}
