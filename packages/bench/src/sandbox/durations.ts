export function median(values: readonly number[] = []): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}
