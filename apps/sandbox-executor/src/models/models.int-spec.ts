import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import type { AttemptPlan, ModelConfig, PlannedAgent } from '@agentclash/attempt-plan';
import { type In, modelCalls } from '@agentclash/contracts';
import { type Behaviour, type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';
import { newId, type RunningService } from '@agentclash/service-kit';
import { freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { executorConfig, startSandboxExecutor } from '../index.js';
import { attemptPlan, graderPlan } from '../testing/assignments.js';
import { FakeServices } from '../testing/fake-services.js';

const nats = await freshNats();
const blobFolder = mkdtempSync(path.join(tmpdir(), 'agentclash-executor-models-'));
const KEY = `sk-${randomBytes(18).toString('hex')}`;

describe('models that attempts call', () => {
  let services: FakeServices;
  let service: RunningService;
  let server: ScriptedModel;
  const logged: string[] = [];

  beforeAll(async () => {
    services = await FakeServices.open(nats.url);
    server = await scriptedModel();
    const logTo = new Writable({
      write(chunk, _encoding, done) {
        logged.push(String(chunk));
        done();
      },
    });
    const environment = {
      NATS_URL: nats.url,
      BLOB_FOLDER: blobFolder,
      SANDBOX_MAX_CONCURRENT: '3',
      OPERATOR_UNLOCK: '127.0.0.0/8',
      CREDENTIALS_ENV: 'allow',
      MODEL_KEY: KEY,
      LOG_LEVEL: 'debug',
    };
    service = await startSandboxExecutor(executorConfig(environment), { logTo });
  }, 60_000);
  afterAll(async () => {
    await service?.close();
    await server?.close();
    await services?.close();
    rmSync(blobFolder, { recursive: true, force: true });
  });
  beforeEach(() => {
    services.secrets.clear();
    services.secrets.set('MODEL_KEY', { value: KEY });
    services.slots.limit = 100;
    services.slots.released.length = 0;
    server.follow({ text: 'ok' });
  });

  const model = (changes: Partial<ModelConfig> = {}): PlannedAgent => ({
    kind: 'model',
    config: {
      provider_account_id: newId(),
      provider_key: 'openai',
      model: 'm-1',
      base_url: server.url,
      credential_reference: 'workspace-secret://MODEL_KEY',
      ...changes,
    },
  });
  const prompt = (agent = model(), changes: Partial<AttemptPlan> = {}) =>
    attemptPlan(agent, { mode: 'prompt_eval', ...changes });

  async function run(plan: AttemptPlan) {
    const assignment = await services.assign(plan, graderPlan(plan));
    return { assignment, result: await services.finished(assignment) };
  }

  test('models get their credential through the vault, and the key is in no event and no log line', async () => {
    server.follow({ text: `your key is ${KEY}`, model: 'm-1-2026' });
    const { assignment, result } = await run(prompt());
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'message' });
    expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(assignment.of('model.call.completed')).toMatchObject([
      { response_model: 'm-1-2026', text: 'your key is [redacted:MODEL_KEY]' },
    ]);
    expect(JSON.stringify(assignment.events) + logged.join('')).not.toContain(KEY);
  });

  test.each<[string, object, Behaviour, string]>([
    ['that the provider repeats in a refusal', {}, errorReply(401, `Incorrect API key: ${KEY}`), 'auth'],
    ['that is not set any more', { credential_reference: 'workspace-secret://GONE' }, { text: 'x' }, 'auth'],
    ['that no variable holds', { credential_reference: 'env://NOT_SET' }, { text: 'x' }, 'auth'],
    ['that configures us', { credential_reference: 'env://NATS_URL' }, { text: 'x' }, 'auth'],
  ])(
    'attempts whose credential is %s end as a provider error that no retry repeats',
    async (_what, change, reply, code) => {
      server.follow(reply);
      const { assignment, result } = await run(prompt(model(change)));
      expect(result).toMatchObject({ outcome: 'provider_error', error: { code, retryable: false } });
      expect(assignment.of('model.call.failed')).toMatchObject([{ class: code, tries: 1 }]);
      expect(JSON.stringify([assignment.events, result]) + logged.join('')).not.toContain(KEY);
    },
  );

  test('models read their credential from a variable where the operator allows it', async () => {
    const { result } = await run(prompt(model({ credential_reference: 'env://MODEL_KEY' })));
    expect(result.outcome).toBe('completed');
    expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  const BOUND_ELSEWHERE = {
    code: 'secret_binding',
    message: expect.stringContaining('agentclash secret set MODEL_KEY --host http://127.0.0.1:'),
  };

  test('a key that is bound to hosts is sent to those hosts only', async () => {
    services.secrets.set('MODEL_KEY', { value: KEY, hosts: ['127.0.0.1'] });
    expect((await run(prompt())).result.outcome).toBe('completed');
    services.secrets.set('MODEL_KEY', { value: KEY, hosts: ['*.example.com'] });
    const before = server.requests.length;
    const { result } = await run(prompt());
    expect(result).toMatchObject({ outcome: 'provider_error', error: BOUND_ELSEWHERE });
    expect(server.requests).toHaveLength(before);
  });

  test('a key that is bound to an origin is sent to that origin only', async () => {
    const { port } = new URL(server.url);
    const bind = (host: string) =>
      services.secrets.set('MODEL_KEY', { value: KEY, hosts: [host], binding: 'origin' });
    bind(`http://127.0.0.1:${port}`);
    expect((await run(prompt())).result.outcome).toBe('completed');
    const before = server.requests.length;
    for (const other of ['127.0.0.1', `https://127.0.0.1:${port}`, `http://127.0.0.1:${Number(port) ^ 1}`]) {
      bind(other);
      const { result } = await run(prompt());
      expect(result).toMatchObject({ outcome: 'provider_error', error: BOUND_ELSEWHERE });
    }
    expect(server.requests).toHaveLength(before);
  });

  test('models reach no address that the operator did not unlock', async () => {
    const { result } = await run(prompt(model({ base_url: 'https://10.0.0.1/v1' })));
    expect(result).toMatchObject({ outcome: 'provider_error', error: { code: 'egress_blocked' } });
  });

  test('model calls hold a slot of their account while they run, and release it with their outcome', async () => {
    const account = newId();
    server.follow([
      { status: 429, headers: { 'retry-after': '0.2' }, error: { message: 'slow down' } },
      { text: 'ok' },
    ]);
    const plan = prompt(model({ provider_account_id: account }));
    const { result } = await run(plan);
    expect(result.outcome).toBe('completed');
    const released = await waitFor(() => services.slots.released.length === 2 && services.slots.released);
    expect(released).toMatchObject([
      { provider_account_id: account, outcome: 'rate_limited', retry_after_ms: 200 },
      { provider_account_id: account, outcome: 'success' },
    ]);
    expect(services.slots.held.size).toBe(0);
  });

  test('model calls wait for a slot, and stop waiting when the run is cancelled', async () => {
    services.slots.limit = 0;
    const plan = prompt();
    const assignment = await services.assign(plan, graderPlan(plan));
    const refusedBefore = services.slots.refused;
    await waitFor(() => services.slots.refused > refusedBefore);
    await services.cancel(plan.run_id);
    expect((await services.finished(assignment)).outcome).toBe('cancelled');
    await waitFor(() => services.slots.released.length === 1);
    const last = services.slots.refused;
    services.slots.limit = 100;
    await run(prompt());
    expect(services.slots.refused).toBeLessThanOrEqual(last + 1);
  });

  test('deltas are published live in few pieces, redacted however they were cut, and none is stored', async () => {
    const text = `${'word '.repeat(400)}and the key is ${KEY}.`;
    server.follow({ text, fragment: 7 });
    const plan = prompt();
    const reply = services.watch(plan.run_id);
    const { assignment, result } = await run(plan);
    expect(result.outcome).toBe('completed');
    const [call] = assignment.of('model.call.completed');
    expect(reply.map(({ payload }) => payload.text).join('')).toBe(call?.text);
    expect(reply.length).toBeLessThan(20);
    expect(reply[0]).toMatchObject({ attempt_id: plan.attempt_id, payload: { call_id: call?.call_id } });
    expect(JSON.stringify(reply)).not.toContain(KEY);
    expect(assignment.of('model.output.delta')).toEqual([]);
  });

  test('model calls use the protocol of Anthropic with tools, and cost the prices of the account', async () => {
    server.follow([
      { toolCalls: [{ name: 'write_file', arguments: { path: 'a.txt', content: 'hi' } }] },
      { toolCalls: [{ name: 'submit', arguments: { answer: 'done' } }] },
    ]);
    const row = { provider_key: 'anthropic', provider_model_id: 'm-1' };
    const rates = { input_cost_per_million_tokens: 100_000, output_cost_per_million_tokens: 0 };
    const agent = model({ provider_key: 'anthropic', pricing: { models: [{ ...row, ...rates }] } });
    const { result } = await run(attemptPlan(agent));
    expect(server.requests.at(-1)).toMatchObject({ wire: 'anthropic', headers: { 'x-api-key': KEY } });
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'submit', cost_usd: 2 });
    expect(result.usage).toMatchObject({ input: 20, output: 10 });
  });

  test.each<[string, Behaviour, Partial<AttemptPlan['limits']>, string]>([
    ['context', errorReply(400, "This model's maximum context length is 10 tokens."), {}, 'context'],
    ['tokens', { text: 'x' }, { max_total_tokens: 5 }, 'tokens'],
    ['cost', { text: 'x' }, { max_cost_usd: 0.001 }, 'cost'],
  ])('model calls that reach the limit of their %s are graded', async (_what, reply, limits, kind) => {
    server.follow(reply);
    const row = { provider_key: 'openai', provider_model_id: 'm-1' };
    const rates = { input_cost_per_million_tokens: 100_000, output_cost_per_million_tokens: 0 };
    const plan = prompt(model({ pricing: { models: [{ ...row, ...rates }] } }));
    plan.limits = { ...plan.limits, ...limits };
    expect((await run(plan)).result).toMatchObject({ outcome: 'limit_reached', limit_kind: kind });
  });

  test('a long Retry-After delays the next delivery', async () => {
    server.follow({ status: 429, headers: { 'retry-after': '90' }, error: { message: 'slow down' } });
    const { result } = await run(prompt());
    expect(result).toMatchObject({
      outcome: 'provider_error',
      error: { code: 'rate_limit', retryable: true },
      retry_after_ms: 90_000,
    });
  });

  test.each<[string, Behaviour, object]>([
    ['replies', { text: 'ok', model: 'm-1-2026' }, { ok: true, response_model: 'm-1-2026', error: null }],
    [
      'refuses the key',
      errorReply(401, `no such key ${KEY}`),
      { ok: false, error: { class: 'auth', message: expect.stringContaining('credential') } },
    ],
  ])(
    'an account is tested by one call outside of any attempt: the provider %s',
    async (_what, reply, report) => {
      server.follow(reply);
      const before = server.requests.length;
      const { config } = model();
      const connection = { ...config, provider_account_id: newId() } as In<
        typeof modelCalls.test
      >['connection'];
      const request = { workspace_id: newId(), test_id: newId(), connection };
      const tried = await services.bus.call(modelCalls.test, request);
      expect(tried).toMatchObject({ model: 'm-1', latency_ms: expect.any(Number), ...report });
      expect(server.requests.length - before).toBe(1);
      expect(JSON.stringify(tried) + logged.join('')).not.toContain(KEY);
    },
  );

  test('an endpoint gets its credential through the vault, too', async () => {
    const endpoint = createServer(({ headers }, response) => {
      response.end(JSON.stringify({ output: `sent ${headers.authorization}` }));
    }).listen(0, '127.0.0.1');
    const port = await waitFor(() => (endpoint.address() as AddressInfo | null)?.port);
    const config = { url: `http://127.0.0.1:${port}/`, credential_reference: 'workspace-secret://MODEL_KEY' };
    const { assignment } = await run(attemptPlan({ kind: 'endpoint', config }));
    expect(assignment.of('system.output.finalized')).toMatchObject([
      { final_output: 'sent Bearer [redacted:MODEL_KEY]' },
    ]);
    endpoint.close();
  });

  test('an endpoint whose secret is not set any more is not called', async () => {
    const config = { url: 'http://127.0.0.1:9/', credential_reference: 'workspace-secret://GONE' };
    const { assignment } = await run(attemptPlan({ kind: 'endpoint', config }));
    expect(assignment.of('system.run.failed')).toMatchObject([
      { outcome: 'provider_error', error: { class: 'auth', retryable: false } },
    ]);
  });
});

function errorReply(status: number, message: string): Behaviour {
  return { status, error: { message } };
}
