/** Holm's step-down adjustment: p values of one family, adjusted, in the order given. */
export function holmAdjust(values: readonly number[]): number[] {
  const adjusted = new Array<number>(values.length).fill(1);
  const ascending = values.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  let running = 0;
  ascending.forEach(({ p, index }, position) => {
    running = Math.max(running, Math.min(1, (values.length - position) * p));
    adjusted[index] = running;
  });
  return adjusted;
}
