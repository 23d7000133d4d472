/** Keys as they are told: sorted. */
export function names(keys: readonly string[]): string {
  return [...keys].sort().join(', ');
}
