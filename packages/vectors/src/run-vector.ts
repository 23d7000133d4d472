import type { VectorDriver } from '@agentclash/testkit/vectors';
import type { Format, Vector } from './formats.js';

const met = new Map<Format, Promise<VectorDriver<never>[]>>();

/** Runs a vector with every driver of its format; throws (rejects) where the product disagrees. */
export async function runVector(
  { vector, format }: { vector: Vector; format: Format },
  document: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const driver of await driversOf(format)) await driver.run(vector as never, document);
}

/** Gives back what drivers opened. */
export async function closeDrivers(): Promise<void> {
  for (const drivers of met.values()) {
    for (const driver of await drivers) await driver.close?.();
  }
  met.clear();
}

function driversOf(format: Format): Promise<VectorDriver<never>[]> {
  const loaded = met.get(format) ?? Promise.all(format.drivers.map(async (load) => (await load()).driver));
  met.set(format, loaded);
  return loaded;
}
