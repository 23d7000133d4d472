import type { LabelsOf, NameOf } from './metric-catalog.js';

/** One value of a gauge. */
export interface Reading<Labels = Record<string, string>> {
  labels: Labels;
  value: number;
}

/** Stores metrics until they are collected. */
export interface MetricSink {
  add(name: NameOf<'counter'>, labels: Record<string, string>, by: number): void;
  observe(name: NameOf<'histogram'>, labels: Record<string, string>, value: number): void;
}

type Read<Labels = Record<string, string>> = () =>
  | readonly Reading<Labels>[]
  | Promise<readonly Reading<Labels>[]>;

/** The metrics of this process. Without a sink, recording is a no-op. */
export class Metrics {
  private sink: MetricSink | undefined;
  private readonly gauges = new Map<NameOf<'gauge'>, Set<Read>>();

  add<N extends NameOf<'counter'>>(name: N, labels: LabelsOf<N>, by = 1): void {
    this.sink?.add(name, labels, by);
  }

  observe<N extends NameOf<'histogram'>>(name: N, labels: LabelsOf<N>, value: number): void {
    this.sink?.observe(name, labels, value);
  }

  /** Registers a reader of a gauge, until the returned function is called. */
  gauge<N extends NameOf<'gauge'>>(name: N, read: Read<LabelsOf<N>>): () => void {
    const readers = this.gauges.get(name) ?? new Set<Read>();
    this.gauges.set(name, readers.add(read));
    return () => readers.delete(read);
  }

  /** The current values of a gauge, without readers that fail. */
  async read(name: NameOf<'gauge'>): Promise<readonly Reading[]> {
    const readers = [...(this.gauges.get(name) ?? [])];
    const readings = await Promise.allSettled(readers.map(async (read) => await read()));
    return readings.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  }

  collectInto(sink: MetricSink | undefined): void {
    this.sink = sink;
  }
}

/** The metrics of this process. */
export const metrics = new Metrics();

/** Seconds since `startedAt`, a reading of `performance.now()`. */
export function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}
