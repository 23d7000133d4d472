export const MIB = 1 << 20;
const UNITS: Readonly<Record<string, number>> = { Mi: MIB, Gi: 1024 * MIB };

/** A cluster's way to write bytes. NaN, which is below no limit, for what is not written in Mi or Gi. */
export function bytesOf(quantity: string): number {
  const [, number, unit = ''] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(number) * (UNITS[unit] ?? Number.NaN);
}
