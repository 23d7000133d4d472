import { cpuSeconds, proportionalMib } from '../measurement/process-usage.js';
import type { BenchStack, Entry } from '../stack/bench-stack.js';

/** The cost of one run. */
export interface Race {
  /** Of its run. */
  id: string;
  attempts: number;
  /** From the request to the response that it was created. */
  creationSeconds: number;
  /** From the request to the ranking. */
  seconds: number;
  /** Processor time by process. */
  cpu: Record<string, number>;
  /** The most memory that the services held, pages that they share counted once. */
  peakMib: number;
  /** The same with PostgreSQL and nats-server. */
  stackPeakMib: number;
}

/** Reading it stops a process for moments. */
const SAMPLE_EVERY_MS = 2_000;

/** Runs all cases so often and measures it. */
export async function measuredRace(stack: BenchStack, entry: Entry, repetitions: number): Promise<Race> {
  const before = cpuOf(stack);
  let peakMib = 0;
  let stackPeakMib = 0;
  const sample = () => {
    const { services, ...servers } = stack.processes;
    const servicesMib = proportionalMib(services);
    peakMib = Math.max(peakMib, servicesMib);
    stackPeakMib = Math.max(stackPeakMib, servicesMib + proportionalMib(Object.values(servers).flat()));
  };
  const sampler = setInterval(sample, SAMPLE_EVERY_MS);
  try {
    const startedAt = performance.now();
    const { id } = await stack.startRun(entry, repetitions);
    const creationSeconds = (performance.now() - startedAt) / 1_000;
    const run = await stack.finished(id);
    const seconds = (performance.now() - startedAt) / 1_000;
    const cpu = Object.entries(cpuOf(stack)).map(([name, spent]) => [name, spent - (before[name] ?? 0)]);
    // A short race ends before the first is due.
    sample();
    return {
      id,
      attempts: run.progress.total,
      creationSeconds,
      seconds,
      cpu: Object.fromEntries(cpu),
      peakMib,
      stackPeakMib,
    };
  } finally {
    clearInterval(sampler);
  }
}

/** Seconds of processor time that the stack has spent so far, by what it does; sandboxes that ended count to the services. */
export function cpuOf(stack: BenchStack): Record<string, number> {
  return Object.fromEntries(
    Object.entries(stack.processes).map(([name, pids]) => [
      name,
      pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0),
    ]),
  );
}
