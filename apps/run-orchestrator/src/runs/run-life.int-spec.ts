import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bus } from '@agentclash/bus';
import { attempts, deployments, type RecordedEvent, runs } from '@agentclash/contracts';
import { newId, type RunningService } from '@agentclash/service-kit';
import { freshDatabase, freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { orchestratorConfig, startRunOrchestrator } from '../index.js';
import { workOff } from '../testing/executor.js';
import { startNeighbours, Town } from '../testing/neighbours.js';
import { publish, wordPack } from '../testing/published-pack.js';

const database = await freshDatabase();
const nats = await freshNats();
jest.setTimeout(60_000);
const workspace_id = newId();
const actor = 'tests';

describe('a run, from its creation to its ranking', () => {
  const town = new Town();
  let bus: Bus;
  let service: RunningService;
  let folder: string;
  let closeNeighbours: () => Promise<void>;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agentclash-orchestrator-'));
    const environment = {
      DATABASE_URL: database.url,
      NATS_URL: nats.url,
      BLOB_FOLDER: folder,
      LOG_LEVEL: 'warn',
    };
    service = await startRunOrchestrator(orchestratorConfig(environment));
    ({ bus, close: closeNeighbours } = await startNeighbours(nats.url, town));
  });

  afterAll(async () => {
    await closeNeighbours();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  const scripted = (name: string) =>
    bus.call(deployments.create, { workspace_id, actor, spec: { name, kind: 'scripted', config: {} } });

  test('goes through queue, leases, events and scores to completed, and its history has no gap', async () => {
    const pack = town.add(publish(wordPack(3)));
    town.execute = async (job, from) => workOff(job, from);
    const [a, b] = [await scripted('a'), await scripted('b')];
    const created = await bus.call(runs.create, {
      workspace_id,
      actor,
      request: { challenge_pack_version_id: pack.version.id, deployment_ids: [a.id, b.id], repetitions: 2 },
    });
    expect(created).toMatchObject({ status: 'queued', progress: { total: 12, queued: 12, scored: 0 } });

    const run_id = created.id;
    const show = () => bus.call(runs.get, { workspace_id, run_id });
    await waitFor(async () => (await show()).status === 'completed', { timeoutMs: 50_000 });

    const progress = { total: 12, queued: 0, running: 0, finished: 12, scored: 12, passed: 12 };
    expect(await show()).toMatchObject({ progress: { ...progress, by_outcome: { completed: 12 } } });
    const { items: agents } = await bus.call(runs.agents, { workspace_id, run_id });
    expect(agents).toMatchObject([
      { name: 'a', overall_so_far: 1, progress: { total: 6, finished: 6 } },
      { name: 'b', overall_so_far: 1, progress: { total: 6, finished: 6 } },
    ]);

    const history = await wholeHistory(run_id);
    expect(history.map(({ position }) => position)).toEqual(history.map((_, index) => index + 1));
    const own = history.filter((event) => event.delivery === undefined);
    expect(own.map(({ sequence_number }) => sequence_number)).toEqual(own.map((_, index) => index + 1));
    const moves = own.filter(({ event_type }) => event_type === 'run.state_changed');
    expect(moves.map(({ payload }) => payload.to)).toEqual(['queued', 'running', 'scoring', 'completed']);
    expect(history.at(-1)).toMatchObject({ event_type: 'run.completed', payload: { status: 'completed' } });

    const { items } = await bus.call(runs.attempts, { workspace_id, run_id });
    const [first] = items;
    const shown = await bus.call(attempts.get, { workspace_id, attempt_id: first?.id ?? '' });
    expect(shown).toMatchObject({
      state: 'finished',
      outcome: 'completed',
      is_scored: true,
      final_output: 'w\u0000rd',
      deliveries: [{ delivery: 1, outcome: 'completed' }],
      stored_case: { case_key: 'case-1', position: 0 },
    });
  });

  async function wholeHistory(run_id: string): Promise<RecordedEvent[]> {
    const history: RecordedEvent[] = [];
    for (;;) {
      const after = history.at(-1)?.position ?? 0;
      const { items, is_end } = await bus.call(runs.events, { workspace_id, run_id, after, limit: 20 });
      history.push(...items);
      if (is_end || items.length === 0) return history;
    }
  }
});
