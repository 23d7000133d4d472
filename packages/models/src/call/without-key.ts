const MARK = '[key]';
const REPLACEMENT = Buffer.from(MARK);

/** The headers of a reply with every occurrence of the key replaced. */
export function headersWithoutKey(headers: Readonly<Record<string, string>>, key: string): Headers {
  if (key === '') return new Headers(headers);
  return new Headers(Object.entries(headers).map(([name, value]) => [name, value.replaceAll(key, MARK)]));
}

/**
 * The bytes of a reply with every occurrence of the key replaced, also of one that is split between chunks. Bytes are
 * held back only while they may be the beginning of the key, so that a stream is not delayed.
 */
export async function* withoutKey(
  body: AsyncIterable<Uint8Array>,
  key: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const wanted = Buffer.from(key);
  let held = Buffer.alloc(0);
  for await (const chunk of body) {
    let rest = held.length === 0 ? bytesOf(chunk) : Buffer.concat([held, chunk]);
    for (let at = rest.indexOf(wanted); at >= 0; at = rest.indexOf(wanted)) {
      if (at > 0) yield rest.subarray(0, at);
      yield REPLACEMENT;
      rest = rest.subarray(at + wanted.length);
    }
    const heldBytes = beginningAtEnd(rest, wanted);
    if (rest.length > heldBytes) yield rest.subarray(0, rest.length - heldBytes);
    held = Buffer.from(rest.subarray(rest.length - heldBytes));
  }
  if (held.length > 0) yield held;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Length of the longest end of the bytes that is a beginning of the key, and not the whole key. */
function beginningAtEnd(bytes: Buffer, wanted: Buffer): number {
  const longest = Math.min(bytes.length, wanted.length - 1);
  for (let length = longest; length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(wanted.subarray(0, length))) return length;
  }
  return 0;
}
