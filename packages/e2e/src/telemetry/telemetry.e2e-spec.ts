import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@agentclash/embedded';
import {
  type Behaviour,
  type ScriptedModel,
  type ScriptedRequest,
  scriptedModel,
} from '@agentclash/scripted-model';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { filesWith, formsOf } from '../planted.js';
import { Product, StackFolder } from '../product.js';
import { type CollectedSpan, TraceCollector } from './trace-collector.js';

jest.setTimeout(180_000);

const AGENTS = `
provider_accounts:
  - {name: wire, provider_key: openai, base_url: URL, credential_reference: workspace-secret://MODEL_KEY}
model_aliases:
  - {name: a, provider_account: wire, model: m-1}
deployments:
  - {name: agent, kind: model, config: {model_alias: a}}
`;
/** The output of the agent, in its replies and its files: only the record of the run may contain it. */
const OUTPUT = `output-${randomBytes(12).toString('hex')}`;

function solver({ body }: ScriptedRequest): Behaviour {
  if (JSON.stringify(body.messages).includes('written')) {
    return { text: OUTPUT, toolCalls: [{ name: 'submit', arguments: { answer: '6' } }] };
  }
  const command = ['sh', '-c', `echo 6 ${OUTPUT} > answer.txt; echo written`];
  return { text: OUTPUT, toolCalls: [{ name: 'exec', arguments: { command } }] };
}

describe('the traces and figures of a race', () => {
  const key = `sk-${randomBytes(18).toString('hex')}`;
  const collectorToken = randomBytes(18).toString('hex');
  let collector: TraceCollector;
  let models: ScriptedModel;
  let product: Product;
  let metricsUrl: string;
  let root: CollectedSpan;

  beforeAll(async () => {
    collector = await TraceCollector.start();
    models = await scriptedModel();
    let refusedLeft = 1;
    models.follow((request) => {
      refusedLeft -= 1;
      return refusedLeft < 0
        ? solver(request)
        : { status: 429, headers: { 'retry-after': '0' }, error: { message: OUTPUT } };
    });
    const port = await freePort();
    metricsUrl = `http://127.0.0.1:${port}/metrics`;
    product = await Product.start(new StackFolder(), {
      METRICS_PORT: String(port),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${collectorToken}`,
      OTEL_BSP_SCHEDULE_DELAY: '200',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    const secret = await product.run(['secret', 'set', 'MODEL_KEY', '--host', new URL(models.url).origin], {
      stdin: key,
    });
    expect(secret).toMatchObject({ code: 0 });
    const file = path.join(product.folder.path, 'agents.yaml');
    writeFileSync(file, AGENTS.replaceAll('URL', JSON.stringify(models.url)));
    await product.read('deployment', 'create', '-f', file);
    const pack = path.join(product.folder.path, 'native.yaml');
    await product.run(['challenge-pack', 'init', pack, '--template', 'native']);
    await product.read('challenge-pack', 'publish', pack);
    const words = ['eval', 'start', '--pack', 'native', '--deployment', 'agent', '--follow'];
    const raced = await product.run(words, { timeoutMs: 170_000 });
    expect(raced.stderr).not.toContain('error');
    const hasEnded = () => collector.named(/score_run$/).some(({ kind }) => kind === 5);
    await waitFor(hasEnded, { timeoutMs: 30_000 });
    const [started] = collector.named(/^POST \S*\/runs$/);
    if (started === undefined) throw new Error('the request that started the run is in no trace');
    root = started;
  }, 180_000);
  afterAll(async () => {
    await product?.stop();
    await models?.close();
    await collector?.close();
    product?.folder.remove();
  }, 120_000);

  const inTrace = (name: string | RegExp, kind?: number) =>
    collector
      .named(name)
      .filter((span) => span.traceId === root.traceId && (kind === undefined || span.kind === kind));
  const one = (name: string | RegExp, kind?: number): CollectedSpan => {
    const [span] = inTrace(name, kind);
    if (span === undefined) throw new Error(`the run's trace has no ${name}`);
    return span;
  };

  test('a single trace holds the request, its rows, every attempt with sandbox and model, and its score', () => {
    expect(root).toMatchObject({ kind: 2, attributes: { 'http.response.status_code': expect.anything() } });
    expect(root.parentSpanId ?? '').toBe('');
    const writers = inTrace('INSERT').map((statement) => collector.pathOf(statement));
    expect(writers).toContainEqual(expect.arrayContaining(['rpc.runs.v1.create', root.name]));
    const job = 'process job.execution.v1.execute';
    expect(collector.pathOf(one('rpc.leases.v1.claim', 3)).slice(1)).toEqual(['batch', job, root.name]);
    expect(collector.pathOf(one('attempt')).slice(1)).toEqual([job, root.name]);
    for (const name of ['sandbox create', 'sandbox exec', 'sandbox destroy', 'chat m-1']) {
      expect(collector.pathOf(one(name))).toEqual(expect.arrayContaining(['attempt', job, root.name]));
    }
    expect(collector.pathOf(one('score'))).toEqual([
      'score',
      expect.stringMatching(/^process job.scoring/),
      root.name,
    ]);
    const attempts = inTrace('attempt').map(({ attributes }) => attributes['agentclash.attempt.id']);
    expect(attempts.length).toBeGreaterThan(0);
    expect(new Set(inTrace('score').map(({ attributes }) => attributes['agentclash.attempt.id']))).toEqual(
      new Set(attempts),
    );
  });

  test('traces link the handling of a queued message to its publication', () => {
    const sent = new Set(inTrace('send job.execution.v1.execute', 4).map(({ spanId }) => spanId));
    const taken = inTrace('process job.execution.v1.execute', 5);
    expect(taken.length).toBeGreaterThan(0);
    for (const { parentSpanId, links } of taken) {
      expect(parentSpanId).toBe(root.spanId);
      expect(links.map(({ spanId }) => sent.has(spanId))).toEqual([true]);
    }
  });

  test('spans name models and count tokens by the conventions for generative AI', () => {
    expect(one('chat m-1').attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'm-1',
      'gen_ai.response.model': 'm-1',
      'gen_ai.usage.input_tokens': expect.anything(),
      'gen_ai.usage.output_tokens': expect.anything(),
    });
  });

  test('traces continue those of a client, and every log line has the id of its request', async () => {
    const traceId = randomBytes(16).toString('hex');
    const spanId = randomBytes(8).toString('hex');
    const requestId = `request-${randomBytes(6).toString('hex')}`;
    const token = await product.token();
    const response = await fetch(`${product.state.url}/v1/workspaces/default/runs?limit=1`, {
      headers: {
        authorization: `Bearer ${token}`,
        traceparent: `00-${traceId}-${spanId}-01`,
        'x-request-id': requestId,
      },
    });
    expect(response.status).toBe(200);
    await waitFor(() => collector.of(traceId).some(({ kind }) => kind === 2), { timeoutMs: 10_000 });
    const request = collector.of(traceId).find(({ name }) => name.startsWith('GET '));
    expect(request?.parentSpanId).toBe(spanId);
    expect(filesWith([`"request_id":"${requestId}"`], product.folder.path)).not.toEqual([]);
    expect(filesWith([`"trace_id":"${traceId}"`], product.folder.path)).not.toEqual([]);
  });

  test('Prometheus reads figures by names and never by ids', async () => {
    const text = await (await fetch(metricsUrl)).text();
    const figureOf = (line: RegExp) => Number(line.exec(text)?.[1] ?? Number.NaN);
    const figures = {
      ended: figureOf(/^agentclash_attempts_ended_total\{outcome="completed"\} (\S+)/m),
      runs: figureOf(/^agentclash_runs_ended_total\{status="completed"\} (\S+)/m),
      sandboxes: figureOf(/^agentclash_sandbox_create_duration_seconds_count\{[^}]*result="ok"\} (\S+)/m),
      calls: figureOf(
        /^agentclash_model_call_duration_seconds_count\{provider="openai",result="ok"\} (\S+)/m,
      ),
      throttled: figureOf(/^agentclash_model_tries_failed_total\{provider="openai",status="429"\} (\S+)/m),
      scored: figureOf(/^agentclash_scoring_duration_seconds_count\{result="scored"\} (\S+)/m),
      http: figureOf(
        /^agentclash_http_request_duration_seconds_count\{method="POST",route="[^"]*runs"[^}]*\} (\S+)/m,
      ),
      lag: figureOf(/^agentclash_event_lag_seconds_count\{[^}]*emitted"\} (\S+)/m),
    };
    for (const [name, value] of Object.entries(figures)) expect([name, value > 0]).toEqual([name, true]);
    expect(text).toMatch(/^agentclash_queue_pending\{stream="JOBS",consumer="sandbox-executor-[^"]+"\} 0$/m);
    expect(text).toMatch(/^agentclash_model_limits \d+$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });

  test('telemetry holds no secret, no prompt, no output, and no text of an error', () => {
    expect([...collector.authorizations]).toEqual([collectorToken]);
    expect(models.requests.length).toBeGreaterThan(1);
    const all = collector.bodies.join('\n');
    for (const secret of [...formsOf(key), OUTPUT, collectorToken, 'numbers.txt']) {
      expect([secret, all.includes(secret)]).toEqual([secret, false]);
    }
    expect(filesWith([collectorToken], path.join(product.folder.data))).toEqual([]);
    expect(collector.spans.filter(({ status }) => status.message !== undefined)).toEqual([]);
    expect(root.resource).toMatchObject({
      'service.name': 'agentclash',
      'service.namespace': 'agentclash',
      'deployment.environment.name': 'test',
    });
  });
});
