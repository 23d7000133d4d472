import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import type { Bus } from '@agentclash/bus';
import {
  type Deployment,
  deployments,
  executors,
  type In,
  type RecordedEvent,
  type Run,
  runs,
} from '@agentclash/contracts';
import { migrate, newId, type RunningService } from '@agentclash/service-kit';
import { type FreshDatabase, freshDatabase, freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, jest } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { orchestratorConfig, startRunOrchestrator } from '../index.js';
import { FakeServices, startFakeServices } from './fake-services.js';

export const template = {
  name: 'run-orchestrator',
  prepare: async (databaseUrl: string) => {
    const folder = path.resolve(import.meta.dirname, '../../prisma');
    await migrate({ databaseUrl, schema: SCHEMA, folder });
  },
};

/**
 * An orchestrator on a database and a bus of its own, among fake services that a test controls. Call at the top level of an
 * `*.int-spec.ts`: `const fixture = await openOrchestrator();`
 */
export async function openOrchestrator(
  environment: Record<string, string> = {},
): Promise<OrchestratorFixture> {
  // Jest runs these hooks in the order of their calls: the orchestrator closes before its servers do.
  afterAll(() => fixture.close());
  const [database, nats] = await Promise.all([freshDatabase({ template }), freshNats()]);
  const fixture = new OrchestratorFixture(database, nats.url, environment);
  jest.setTimeout(60_000);
  beforeAll(() => fixture.open());
  return fixture;
}

/** Its sandboxes bring a proxy, and have no packages and no templates. */
const PLAIN_EXECUTOR = {
  executor_id: 'plain',
  provider: 'bubblewrap',
  isolation: 'full',
  attempts_max: 64,
  capabilities: { packages: false, egress_proxy: true },
  images: [{ template: null, packages: [] }],
};

type Request = Partial<In<typeof runs.create>['request']>;

export class OrchestratorFixture {
  readonly workspaceId = newId();
  readonly fakes = new FakeServices();
  readonly logged: string[] = [];
  blobFolder = '';
  private service: RunningService | undefined;
  private running: { bus: Bus; close: () => Promise<void> } | undefined;

  constructor(
    readonly database: FreshDatabase,
    readonly natsUrl: string,
    private readonly environment: Record<string, string>,
  ) {}

  get bus(): Bus {
    if (this.running === undefined) throw new Error('the orchestrator is not open yet');
    return this.running.bus;
  }

  async open(): Promise<void> {
    this.blobFolder = await mkdtemp(path.join(tmpdir(), 'agentclash-orchestrator-'));
    await this.startOrchestrator();
    this.running = await startFakeServices(this.natsUrl, this.fakes);
    await this.bus.call(executors.report, PLAIN_EXECUTOR);
  }

  async close(): Promise<void> {
    await this.running?.close();
    await this.stopOrchestrator();
    await rm(this.blobFolder, { recursive: true, force: true });
  }

  async startOrchestrator(): Promise<void> {
    const logTo = new Writable({
      write: (chunk, _encoding, done) => {
        this.logged.push(String(chunk));
        done();
      },
    });
    const environment = {
      DATABASE_URL: this.database.url,
      NATS_URL: this.natsUrl,
      BLOB_FOLDER: this.blobFolder,
      MIGRATE_ON_START: 'false',
      RECONCILE_MS: '100',
      ...this.environment,
    };
    this.service = await startRunOrchestrator(orchestratorConfig(environment), { logTo });
  }

  /** A part of the orchestrator. */
  get<T>(part: Type<T>): T {
    if (this.service === undefined) throw new Error('the orchestrator is not open yet');
    return this.service.app.get(part, { strict: false });
  }

  async stopOrchestrator(): Promise<void> {
    await this.service?.close();
  }

  async scripted(name: string): Promise<Deployment> {
    const spec = { name, kind: 'scripted' as const, config: {} };
    return await this.bus.call(deployments.create, { workspace_id: this.workspaceId, actor: 'tests', spec });
  }

  async createRun(versionId: string, deployed: Deployment[], request: Request = {}): Promise<Run> {
    return await this.bus.call(runs.create, {
      workspace_id: this.workspaceId,
      actor: 'tests',
      request: {
        challenge_pack_version_id: versionId,
        deployment_ids: deployed.map(({ id }) => id),
        ...request,
      },
    });
  }

  async run(run_id: string): Promise<Run> {
    return await this.bus.call(runs.get, { workspace_id: this.workspaceId, run_id });
  }

  async expectRunStatus(run_id: string, status: Run['status']): Promise<Run> {
    return await waitFor(
      async () => {
        const run = await this.run(run_id);
        return run.status === status && run;
      },
      { timeoutMs: 50_000 },
    );
  }

  async attempts(run_id: string) {
    return (await this.bus.call(runs.attempts, { workspace_id: this.workspaceId, run_id, limit: 200 })).items;
  }

  /** The whole history so far. */
  async history(run_id: string): Promise<RecordedEvent[]> {
    const history: RecordedEvent[] = [];
    for (;;) {
      const after = history.at(-1)?.position ?? 0;
      const request = { workspace_id: this.workspaceId, run_id, after, limit: 50 };
      const { items, is_end } = await this.bus.call(runs.events, request);
      history.push(...items);
      if (is_end || items.length === 0) return history;
    }
  }
}
