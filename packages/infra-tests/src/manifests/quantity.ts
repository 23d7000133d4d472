export const MIB = 1 << 20;
const UNITS: Readonly<Record<string, number>> = { Mi: MIB, Gi: 1024 * MIB };

/** A cluster's way to write bytes. NaN, which is below no limit, for what is not written in Mi or Gi. */
export function bytesOf(quantity: string): number {
  const [, number, unit = ''] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(number) * (UNITS[unit] ?? Number.NaN);
}

/** A cluster's way to write shares of processors: `2`, `0.5`, `500m`. NaN, which is below no limit, for all else. */
export function coresOf(quantity: string): number {
  const [, number, thousandths] = /^(\d+(?:\.\d+)?)(m?)$/.exec(quantity) ?? [];
  return Number(number) / (thousandths === 'm' ? 1_000 : 1);
}
