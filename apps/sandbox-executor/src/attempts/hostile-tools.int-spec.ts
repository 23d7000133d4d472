import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AttemptPlan } from '@agentclash/attempt-plan';
import type { JsonObject } from '@agentclash/challengepack';
import type { RunningService } from '@agentclash/service-kit';
import { freshNats } from '@agentclash/testkit';
import { longestBlockMs } from '@agentclash/testkit/event-loop';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { executorConfig, startSandboxExecutor } from '../index.js';
import { attemptPlan, graderPlan } from '../testing/assignments.js';
import { FakeServices } from '../testing/fake-services.js';

/** The attacks blocked the event loop of the executor for minutes. */
const BLOCKED_MS_MAX = 500;

const blobFolder = mkdtempSync(path.join(tmpdir(), 'agentclash-executor-'));
let services: FakeServices;
let service: RunningService;
// Jest runs these hooks in the order of their calls: clients close before their servers.
afterAll(async () => {
  await service?.close();
  await services?.close();
  rmSync(blobFolder, { recursive: true, force: true });
});
const nats = await freshNats();

beforeAll(async () => {
  services = await FakeServices.open(nats.url);
  const environment = { NATS_URL: nats.url, BLOB_FOLDER: blobFolder, SANDBOX_MAX_CONCURRENT: '4' };
  service = await startSandboxExecutor(executorConfig(environment));
}, 60_000);

/** An attempt whose agent calls its one tool, then submits. */
function planOf(parameters: JsonObject, args: JsonObject): AttemptPlan {
  const tool = {
    name: 'probe',
    description: 'Probes.',
    parameters,
    implementation: { type: 'mock', mock: { response: 'probed' } },
  } as unknown as AttemptPlan['tools']['custom'][number];
  const steps = [
    { call: { name: 'probe', arguments: args } },
    { call: { name: 'submit', arguments: { answer: 'done' } } },
  ];
  return attemptPlan(
    { kind: 'scripted', config: { steps } },
    { tools: { custom: [tool], workspace: [], allowed: [], denied: [] } },
  );
}

async function run(plan: AttemptPlan) {
  const assignment = await services.assign(plan, graderPlan(plan));
  const { outcome } = await services.finished(assignment);
  const [failed] = assignment.of('tool.call.failed');
  return { outcome, error: failed?.error ?? null };
}

/** A schema that is validated 2^60 times when each reference is followed for itself. */
function doubling(): JsonObject {
  const $defs: JsonObject = { a0: { type: 'string' } };
  for (let at = 1; at <= 60; at += 1) {
    const below = { properties: { x: { $ref: `#/$defs/a${at - 1}` } } };
    $defs[`a${at}`] = { allOf: [below, below] };
  }
  return { type: 'object', $defs, $ref: '#/$defs/a60' };
}

/** RE2 follows 2,000 threads through the text, for each of the patterns. */
const slow: JsonObject = {
  type: 'object',
  properties: {
    text: { anyOf: Array.from({ length: 40 }, (_, at) => ({ pattern: `a[ab]{1000}[ab]{${950 + at}}[cd]` })) },
  },
};

function letters(count: number): string {
  let state = 123_456_789;
  return Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return 'ab'[state & 1];
  }).join('');
}

test('a tool whose schema has 2^60 references is checked once, and its attempt continues', async () => {
  let args: JsonObject = { x: 'text' };
  for (let at = 1; at < 60; at += 1) args = { x: args };
  expect(await run(planOf(doubling(), args))).toEqual({ outcome: 'completed', error: null });
}, 300_000);

test('a tool whose schema takes minutes fails its own call, and attempts of others end meanwhile', async () => {
  const order: string[] = [];
  const attack = async () => {
    const hostile = run(planOf(slow, { text: letters(30_000) })).finally(() => order.push('hostile'));
    const innocent = planOf({ type: 'object', properties: { n: { type: 'integer' } } }, { n: 1 });
    const victim = run(innocent).finally(() => order.push('victim'));
    expect(await victim).toEqual({ outcome: 'completed', error: null });
    expect(await hostile).toEqual({
      outcome: 'completed',
      error: { code: 'timeout', message: 'probe failed: the check of the arguments exceeded its limits' },
    });
  };
  expect(await longestBlockMs(attack)).toBeLessThan(BLOCKED_MS_MAX);
  expect(order).toEqual(['victim', 'hostile']);
}, 300_000);
