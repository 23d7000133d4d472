import type { Figure } from '../measurement/report.js';
import type { Shape, Volume } from '../measurement/volume.js';
import { BenchStack } from '../stack/bench-stack.js';
import { measuredRace, type Race } from './race.js';
import { shapeFor, WORKLOADS, type Workload } from './workloads.js';

export interface AttemptsOptions extends Volume {
  /** The keys of the workloads; default: all. */
  only?: readonly string[] | undefined;
}

/**
 * Attempts per second of a no-op agent through HTTP, JetStream and Postgres: the second of two equal runs on a fresh
 * stack, for each workload.
 */
export async function benchAttempts({ only, ...volume }: AttemptsOptions = {}): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const workload of WORKLOADS) {
    if (only !== undefined && !only.includes(workload.key)) continue;
    figures.push(...figuresOf(workload, await raced(workload, shapeFor(workload, volume))));
  }
  return figures;
}

async function raced({ pack, agents }: Workload, { cases, repetitions }: Shape): Promise<Race> {
  const stack = await BenchStack.start();
  try {
    const entry = await stack.enter(pack(cases), agents);
    // The first pays for what is loaded and compiled: V8 is at that for half a minute, and takes a fifth of two cores.
    await measuredRace(stack, entry, repetitions);
    return await measuredRace(stack, entry, repetitions);
  } finally {
    await stack.stop();
  }
}

function figuresOf({ key, name, target }: Workload, race: Race): Figure[] {
  const perAttempt = Object.entries(race.cpu).map(
    ([process, seconds]): Figure => ({
      key: `${key}_${process.replace('-', '_')}_cpu_ms`,
      name: `${name}: processor time per attempt, ${process}`,
      value: (seconds * 1_000) / race.attempts,
      unit: 'ms',
    }),
  );
  return [
    { key: `${key}_attempts`, name: `${name}: attempts`, value: race.attempts, unit: '' },
    {
      key: `${key}_attempts_per_second`,
      name: `${name}: attempts per second`,
      value: race.attempts / race.seconds,
      unit: '1/s',
      target,
    },
    ...perAttempt,
    {
      key: `${key}_peak_mib`,
      name: `${name}: memory of the services at the peak`,
      value: race.peakMib,
      unit: 'MiB',
    },
  ];
}
