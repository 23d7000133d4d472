/** B₂ₖ / (2k(2k−1)) for k = 1, 2, …: the coefficients of Stirling's series. */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156];

/** From here on seven terms of the series are exact to the last digit of a double. */
const SERIES_FROM = 12;

/** ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  while (at < SERIES_FROM) {
    shift += Math.log(at);
    at += 1;
  }
  const inverse = 1 / at;
  let power = inverse;
  let series = 0;
  for (const coefficient of STIRLING) {
    series += coefficient * power;
    power *= inverse * inverse;
  }
  return (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series - shift;
}
