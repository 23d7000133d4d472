import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AttemptPlan, PlannedAgent } from '@agentclash/attempt-plan';
import type { HistoryEvent } from '@agentclash/contracts';
import { type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';
import { newId, type RunningService } from '@agentclash/service-kit';
import { freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { executorConfig, startSandboxExecutor } from '../../index.js';
import { attemptPlan, graderPlan } from '../../testing/assignments.js';
import { FakeServices } from '../../testing/fake-services.js';

const nats = await freshNats();
const blobFolder = mkdtempSync(path.join(tmpdir(), 'agentclash-executor-recordings-'));
const KEY = 'sk-recorded-2b8f6d1c0a';

describe('attempts with recorded model calls', () => {
  let services: FakeServices;
  let service: RunningService;
  let server: ScriptedModel;

  beforeAll(async () => {
    services = await FakeServices.open(nats.url);
    services.secrets.set('MODEL_KEY', { value: KEY });
    server = await scriptedModel();
    const environment = {
      NATS_URL: nats.url,
      BLOB_FOLDER: blobFolder,
      SANDBOX_MAX_CONCURRENT: '3',
      OPERATOR_UNLOCK: '127.0.0.0/8',
    };
    service = await startSandboxExecutor(executorConfig(environment), { logTo: process.stderr });
  }, 60_000);
  afterAll(async () => {
    await service?.close();
    await server?.close();
    await services?.close();
    rmSync(blobFolder, { recursive: true, force: true });
  });

  async function run(model_calls: AttemptPlan['model_calls'], recording?: HistoryEvent[]) {
    const agent: PlannedAgent = {
      kind: 'model',
      config: {
        provider_account_id: newId(),
        provider_key: 'openai',
        model: 'm-1',
        base_url: server.url,
        credential_reference: 'workspace-secret://MODEL_KEY',
      },
    };
    const plan = attemptPlan(agent, { mode: 'prompt_eval', ...(model_calls && { model_calls }) });
    const assignment = await services.assign(plan, graderPlan(plan), recording ? { recording } : {});
    return { assignment, result: await services.finished(assignment) };
  }

  test('A recorded attempt is replayed from its stored events, with large replies in the blob store', async () => {
    server.follow({ text: 'word '.repeat(10_000), fragment: 10_000 });
    const { assignment, result } = await run('record');
    expect(result).toMatchObject({ outcome: 'completed' });
    const recording = assignment.events.filter(({ event_type }) => event_type === 'model.call.recorded');
    expect(recording).toMatchObject([{ payload: { $ref: expect.stringMatching(/^sha256:/) } }]);
    const before = server.requests.length;
    const replayed = await run('replay', recording);
    expect(replayed.result).toMatchObject({ outcome: 'completed', served_calls: 1, cost_usd: 0 });
    expect(server.requests).toHaveLength(before);
    expect(replayed.assignment.of('system.output.finalized')).toEqual(
      assignment.of('system.output.finalized'),
    );
  });

  test('A replay whose recorded attempt was deleted ends without a score, and is not tried again', async () => {
    const { result } = await run('replay');
    expect(result).toMatchObject({
      outcome: 'infra_error',
      error: { code: 'replay_source_missing', retryable: false },
    });
  });

  test('The reply to a request is cached for further attempts, and a large one is read from the blob store', async () => {
    server.follow({ text: 'word '.repeat(10_000), fragment: 10_000 });
    const first = await run('cache');
    const before = server.requests.length;
    const second = await run('cache');
    expect(second.result).toMatchObject({ outcome: 'completed', served_calls: 1, cost_usd: 0 });
    expect(server.requests).toHaveLength(before);
    expect(second.assignment.of('system.output.finalized')).toEqual(
      first.assignment.of('system.output.finalized'),
    );
  });
});
