const REPLACEMENT = Buffer.from('[key]');

/**
 * The bytes of a reply with every occurrence of the key replaced, also of one that is split between chunks. Bytes are
 * held back only while they may be the beginning of the key, so that a stream is not delayed.
 */
export function withoutKey(key: string): TransformStream<Uint8Array, Uint8Array> {
  const wanted = Buffer.from(key);
  let held = Buffer.alloc(0);
  return new TransformStream({
    transform(chunk, controller) {
      let rest = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
      for (let at = rest.indexOf(wanted); at >= 0; at = rest.indexOf(wanted)) {
        controller.enqueue(rest.subarray(0, at));
        controller.enqueue(REPLACEMENT);
        rest = rest.subarray(at + wanted.length);
      }
      const heldBytes = beginningAtEnd(rest, wanted);
      if (rest.length > heldBytes) controller.enqueue(rest.subarray(0, rest.length - heldBytes));
      held = Buffer.from(rest.subarray(rest.length - heldBytes));
    },
    flush(controller) {
      if (held.length > 0) controller.enqueue(held);
    },
  });
}

/** Length of the longest end of the bytes that is a beginning of the key, and not the whole key. */
function beginningAtEnd(bytes: Buffer, wanted: Buffer): number {
  const longest = Math.min(bytes.length, wanted.length - 1);
  for (let length = longest; length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(wanted.subarray(0, length))) return length;
  }
  return 0;
}
