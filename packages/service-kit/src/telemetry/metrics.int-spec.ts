import { afterEach, describe, expect, test } from '@jest/globals';
import { METRICS, type MetricDeclaration } from './metric-catalog.js';
import { Metrics } from './metrics.js';
import { MetricsServer } from './prometheus.js';

describe('figures', () => {
  const servers: MetricsServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  async function serve(metrics: Metrics) {
    const server = await MetricsServer.listen(metrics, { host: '127.0.0.1', port: 0 });
    servers.push(server);
    return async (path = '/metrics') => {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
      return { status: response.status, text: await response.text() };
    };
  }

  test('metrics are exported in the format of Prometheus, gauges with their current values', async () => {
    const metrics = new Metrics();
    const read = await serve(metrics);
    metrics.add('agentclash_runs_ended_total', { status: 'completed' }, 2);
    metrics.observe('agentclash_scoring_duration_seconds', { result: 'scored' }, 0.2);
    let value = 3;
    const end = metrics.gauge('agentclash_attempts_in_flight', () => [{ labels: {}, value }]);
    const { text } = await read();
    expect(text).toContain('agentclash_runs_ended_total{status="completed"} 2\n');
    expect(text).toContain('agentclash_scoring_duration_seconds_bucket{le="0.25",result="scored"} 1\n');
    expect(text).toContain('agentclash_attempts_in_flight 3\n');
    value = 0;
    expect((await read()).text).toContain('agentclash_attempts_in_flight 0\n');
    end();
    expect((await read()).text).not.toMatch(/^agentclash_attempts_in_flight [1-9]/m);
  });

  test('metrics are exported without the gauge that cannot be read', async () => {
    const metrics = new Metrics();
    const read = await serve(metrics);
    metrics.gauge('agentclash_model_limits', () => Promise.reject(new Error('the database is unavailable')));
    const { status, text } = await read();
    expect(status).toBe(200);
    expect(text).toContain('# TYPE agentclash_model_limits gauge');
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  });

  test('every declared metric is exported, and every other path is 404', async () => {
    const read = await serve(new Metrics());
    const { text } = await read();
    for (const [name, { kind, help }] of Object.entries(METRICS)) {
      expect(text).toContain(`# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`);
    }
    expect((await read('/')).status).toBe(404);
  });

  test('metrics have labels of few values only, and units in their names', () => {
    for (const [name, { kind, labels, buckets }] of Object.entries<MetricDeclaration>(METRICS)) {
      expect(labels.filter((label) => /(?:^|_)id$|user|run|attempt|account|workspace/.test(label))).toEqual(
        [],
      );
      const ending = { counter: /_total$/, histogram: /_seconds$/, gauge: /(?<!_total|_seconds)$/ }[kind];
      expect(name).toMatch(ending);
      expect(buckets !== undefined).toBe(kind === 'histogram');
    }
  });
});
