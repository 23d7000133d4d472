import type { VectorDriver } from '@agentclash/testkit/vectors';
import { withoutAmended } from './disputed.js';
import type { Format, Vector } from './formats.js';

const met = new Map<Format, VectorDriver<never>[]>();

/** Runs a vector, but for amended members, with every driver of its format; rejects where the product disagrees. */
export async function runVector(
  entry: { vector: Vector; format: Format },
  document: Readonly<Record<string, unknown>>,
): Promise<void> {
  await runWholeVector({ ...entry, vector: withoutAmended(entry.vector).vector }, document);
}

/** Runs a vector with all its members. */
export async function runWholeVector(
  { vector, format }: { vector: Vector; format: Format },
  document: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const driver of await driversOf(format)) await driver.run(vector as never, document);
}

/** Closes what drivers opened. */
export async function closeDrivers(): Promise<void> {
  for (const driver of [...met.values()].flat()) await driver.close?.();
  met.clear();
}

async function driversOf(format: Format): Promise<VectorDriver<never>[]> {
  const known = met.get(format);
  if (known !== undefined) return known;
  const drivers: VectorDriver<never>[] = [];
  // One after the other: Jest's module loader cannot link modules that share imports at the same time.
  for (const load of format.drivers) drivers.push((await load()).driver);
  met.set(format, drivers);
  return drivers;
}
