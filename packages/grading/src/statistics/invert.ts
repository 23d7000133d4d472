const HALVINGS = 200;

/** The x ≥ 0 at which the falling function `tail` reaches `target`; to the last digit, by bisection. */
export function invertTail(tail: (x: number) => number, target: number): number {
  let low = 0;
  let high = 1;
  while (tail(high) > target && high < 1e300) high *= 2;
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = low + (high - low) / 2;
    if (middle === low || middle === high) break;
    if (tail(middle) > target) low = middle;
    else high = middle;
  }
  return high;
}
