/**
 * The last `bytesMax` bytes of an output as text, cut between characters. Bytes that are no UTF-8 become U+FFFD; the
 * text as a whole is no longer than `bytesMax` bytes even so.
 */
export function tailText(bytes: Uint8Array, bytesMax: number): string {
  let start = Math.max(0, bytes.length - bytesMax);
  while (start > 0 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  const text = new TextDecoder().decode(bytes.subarray(start));
  return Buffer.byteLength(text) <= bytesMax ? text : tailText(Buffer.from(text), bytesMax);
}
