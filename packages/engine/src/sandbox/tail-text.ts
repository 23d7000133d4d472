/** The last `bytesMax` bytes of an output as text, cut between characters. */
export function tailText(bytes: Uint8Array, bytesMax: number): string {
  let start = Math.max(0, bytes.length - bytesMax);
  while (start > 0 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return new TextDecoder().decode(bytes.subarray(start));
}
