import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, createClient, routes } from '@agentclash/api';
import { type RunningStack, startLocalStack } from '@agentclash/local-stack';
import { waitFor } from '@agentclash/testkit';
import { slowdown } from '@agentclash/testkit/event-loop';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { sandboxesBelow } from './testing/processes.js';

jest.setTimeout(180_000);

const PROMPTS = 100;
const SANDBOXES = 6;

/** A pack of one word, in a mode; its cases are alike. */
const pack = (slug: string, { mode, cases }: { mode: string; cases: number }) => `
pack: {slug: ${slug}, name: One word, family: tests}
version:
  number: 1
  execution_mode: ${mode}
  evaluation_spec:
    name: one-word
    version_number: 1
    judge_mode: deterministic
    validators: [{key: exact, type: exact_match, target: final_output, expected_from: case.expectations.word}]
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges: [{key: greet, title: Greet, category: tests, difficulty: easy, instructions: Reply with hi.}]
input_sets:
  - key: default
    name: All
    cases:
${Array.from({ length: cases }, (_, n) => `      - {challenge_key: greet, case_key: case-${n}, expectations: [{key: word, kind: text, value: hi}]}`).join('\n')}
`;

/** An agent behind HTTP: it keeps silent, fails or replies, as the test sets. */
class AgentEndpoint {
  behaviour: 'silent' | 'unavailable' | 'wrong' | 'right' = 'right';
  readonly waiting = new Set<ServerResponse>();
  private readonly server: Server = createServer((request, response) => {
    request.resume();
    if (this.behaviour === 'silent') {
      this.waiting.add(response);
      response.once('close', () => this.waiting.delete(response));
      return;
    }
    const output = this.behaviour === 'right' ? 'hi' : 'bye';
    response.writeHead(this.behaviour === 'unavailable' ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ output }));
  });

  async open(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

describe('cancel, retry, pause and resume', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-orders-'));
  const agentEndpoint = new AgentEndpoint();
  let stack: RunningStack;
  let client: Client;
  let url: string;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    url = await agentEndpoint.open();
    const environment = { SANDBOX_MAX_CONCURRENT: String(SANDBOXES) };
    stack = await startLocalStack({
      allowLoopbackEndpoints: true,
      data: path.join(folder, 'data'),
      writeUserFile: false,
      environment,
    });
    client = createClient({ baseUrl: stack.url, token: stack.token, workspace: 'default' });
  }, 120_000);
  afterAll(async () => {
    await stack?.close();
    agentEndpoint.close();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  const get = (run_id: string) => client.call(routes.runs.get, { params: { run_id } });
  const attemptsOf = async (run_id: string, state?: 'running') =>
    (await client.call(routes.runs.attempts, { params: { run_id }, query: { limit: 200, state } })).items;
  const ended = (run_id: string, timeoutMs = 90_000) =>
    waitFor(
      async () => {
        const run = await get(run_id);
        return run.finished_at !== null && run;
      },
      { timeoutMs, intervalMs: 100 },
    );

  async function deploy(name: string): Promise<string> {
    const endpoint = { name, kind: 'endpoint' as const, config: { url } };
    return (await client.call(routes.deployments.create, { body: endpoint })).id;
  }
  async function start(bundle: string, deployment: string): Promise<string> {
    const published = await client.call(routes.packs.publish, { body: bundle });
    const body = {
      ...{ challenge_pack_version_id: published.challenge_pack_version_id, deployment_ids: [deployment] },
      max_concurrency: PROMPTS,
    };
    return (await client.call(routes.runs.create, { body })).id;
  }

  test(`cancelling ${PROMPTS} running attempts and ${SANDBOXES} in sandboxes ends in 10 s, with nothing left`, async () => {
    agentEndpoint.behaviour = 'silent';
    const prompting = await start(
      pack('prompts', { mode: 'prompt_eval', cases: PROMPTS }),
      await deploy('silent'),
    );
    const sleeper = {
      name: 'sleeper',
      kind: 'program' as const,
      config: { command: ['sleep', '600'] },
    };
    const { id } = await client.call(routes.deployments.create, { body: sleeper });
    const sleeping = await start(pack('sleeps', { mode: 'native', cases: SANDBOXES }), id);
    for (const [run_id, count] of [
      [prompting, PROMPTS],
      [sleeping, SANDBOXES],
    ] as const) {
      const running = async () => (await attemptsOf(run_id, 'running')).length === count;
      await waitFor(running, { timeoutMs: 240_000, intervalMs: 200 });
    }
    expect(agentEndpoint.waiting.size).toBe(PROMPTS);
    expect(sandboxesBelow(process.pid).length).toBeGreaterThan(0);

    const cancelledAt = performance.now();
    for (const run_id of [prompting, sleeping]) {
      expect((await client.call(routes.runs.cancel, { params: { run_id } })).status).toBe('cancelled');
    }
    const runs = [await ended(prompting), await ended(sleeping)];
    expect(performance.now() - cancelledAt).toBeLessThan(10_000 * slowdown());
    expect(runs.map(({ progress }) => progress.by_outcome)).toEqual([
      { cancelled: PROMPTS },
      { cancelled: SANDBOXES },
    ]);
    await waitFor(() => agentEndpoint.waiting.size === 0);
    await waitFor(() => sandboxesBelow(process.pid).length === 0);
  });

  test('a retry of provider errors leaves no mark on the run, a retry of failures does', async () => {
    agentEndpoint.behaviour = 'unavailable';
    const run_id = await start(pack('retried', { mode: 'prompt_eval', cases: 3 }), await deploy('moody'));
    expect(await ended(run_id)).toMatchObject({ progress: { by_outcome: { provider_error: 3 } } });

    agentEndpoint.behaviour = 'wrong';
    const retry = (only: 'infra' | 'failed') =>
      client.call(routes.runs.retry, { params: { run_id }, body: { only } });
    expect(await retry('infra')).toMatchObject({ retried: 3, status: 'running' });
    const wrong = await ended(run_id);
    expect(wrong).toMatchObject({
      status: 'completed',
      progress: { passed: 0, by_outcome: { completed: 3 } },
    });
    expect(wrong.selective_retry).toBeUndefined();
    const ranking = () => client.call(routes.runs.ranking, { params: { run_id } });
    expect((await ranking()).items).toMatchObject([{ name: 'moody', overall: 0, passed: false }]);

    agentEndpoint.behaviour = 'right';
    expect(await retry('failed')).toMatchObject({ retried: 3, selective_retry: true });
    expect(await ended(run_id)).toMatchObject({ selective_retry: true, progress: { passed: 3, scored: 3 } });
    const rescored = await ranking();
    expect(rescored).toMatchObject({ selective_retry: true, items: [{ overall: 1, passed: true }] });
    expect(rescored.revision).toBeGreaterThan(1);
    const [attempt] = await attemptsOf(run_id);
    const shown = await client.call(routes.attempts.get, { params: { attempt_id: attempt?.id ?? '' } });
    // A server that is unavailable is tried several times before the attempt counts as missing.
    const outcomes = shown.deliveries.map(({ outcome }) => outcome);
    expect(outcomes.slice(-3)).toEqual(['provider_error', 'completed', 'completed']);
    expect(new Set(outcomes.slice(0, -2))).toEqual(new Set(['provider_error']));
    const gate = await client.call(routes.gates.evaluate, {
      body: { baseline_run_id: run_id, candidate_run_id: run_id },
    });
    expect(gate).toMatchObject({ verdict: 'insufficient_evidence' });
    await expect(retry('failed')).rejects.toMatchObject({ status: 409, code: 'conflict' });
  });

  test('a paused run lets its live attempts end and starts no other until it is resumed', async () => {
    agentEndpoint.behaviour = 'silent';
    const published = await client.call(routes.packs.publish, {
      body: pack('paused', { mode: 'prompt_eval', cases: 5 }),
    });
    const body = {
      challenge_pack_version_id: published.challenge_pack_version_id,
      deployment_ids: [await deploy('waiting')],
      max_concurrency: 2,
    };
    const { id: run_id } = await client.call(routes.runs.create, { body });
    await waitFor(() => agentEndpoint.waiting.size === 2, { timeoutMs: 30_000 });
    const params = { run_id };
    expect(await client.call(routes.runs.pause, { params })).toMatchObject({ status: 'paused' });
    agentEndpoint.behaviour = 'right';
    for (const response of agentEndpoint.waiting) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"output":"hi"}');
    }
    await waitFor(async () => (await get(run_id)).progress.scored === 2, { timeoutMs: 30_000 });
    expect(await get(run_id)).toMatchObject({ status: 'paused', progress: { queued: 3, running: 0 } });
    await client.call(routes.runs.resume, { params });
    expect(await ended(run_id)).toMatchObject({ status: 'completed', progress: { passed: 5 } });
  });
});
