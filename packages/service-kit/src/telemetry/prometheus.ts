import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { METRICS, type MetricDeclaration, type NameOf } from './metric-catalog.js';
import type { MetricSink, Metrics } from './metrics.js';

type Declared = [string, MetricDeclaration];

/** Collects `metrics` and those of the process for Prometheus' text format. */
export class Prometheus implements MetricSink {
  readonly registry = new Registry();
  private readonly counters: ReadonlyMap<string, Counter>;
  private readonly histograms: ReadonlyMap<string, Histogram>;

  constructor(metrics: Metrics) {
    const registers = [this.registry];
    const all: Declared[] = Object.entries(METRICS);
    const of = (kind: MetricDeclaration['kind']) => all.filter(([, declared]) => declared.kind === kind);
    const textOf = ([name, { help, labels }]: Declared) => ({
      name,
      help,
      labelNames: [...labels],
      registers,
    });
    this.counters = new Map(of('counter').map((each) => [each[0], new Counter(textOf(each))]));
    this.histograms = new Map(
      of('histogram').map((each) => [
        each[0],
        new Histogram({ ...textOf(each), buckets: [...(each[1].buckets ?? [])] }),
      ]),
    );
    for (const each of of('gauge')) {
      const collect = async function (this: Gauge) {
        this.reset();
        for (const { labels, value } of await metrics.read(each[0] as NameOf<'gauge'>))
          this.inc(labels, value);
      };
      new Gauge({ ...textOf(each), collect });
    }
    collectDefaultMetrics({ register: this.registry });
  }

  add(name: string, labels: Record<string, string>, by: number): void {
    this.counters.get(name)?.inc(labels, by);
  }

  observe(name: string, labels: Record<string, string>, value: number): void {
    this.histograms.get(name)?.observe(labels, value);
  }
}

/** `/metrics` on its own port. */
export class MetricsServer {
  private constructor(
    private readonly server: Server,
    private readonly prometheus: Prometheus,
  ) {}

  static async listen(
    metrics: Metrics,
    { host, port }: { host: string; port: number },
  ): Promise<MetricsServer> {
    const prometheus = new Prometheus(metrics);
    const { registry } = prometheus;
    const server = createServer((request, response) => {
      if (request.url !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    metrics.collectInto(prometheus);
    return new MetricsServer(server, prometheus);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.prometheus.registry.clear();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
