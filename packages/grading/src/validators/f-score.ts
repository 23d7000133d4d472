/** The weighted harmonic mean of precision and recall, recall weighing β² times as much; 0 when both are 0. */
export function fScore(precision: number, recall: number, beta: number): number {
  const weight = beta * beta;
  const divisor = weight * precision + recall;
  return divisor === 0 ? 0 : ((1 + weight) * precision * recall) / divisor;
}
