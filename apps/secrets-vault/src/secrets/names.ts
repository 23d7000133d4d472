/** Keys as they are reported: sorted. */
export function names(keys: readonly string[]): string {
  return [...keys].sort().join(', ');
}
