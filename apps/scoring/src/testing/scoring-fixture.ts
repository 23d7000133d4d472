import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { Bus, BusConnection, provisionStreams } from '@agentclash/bus';
import { type Manifest, manifestOf, readPack } from '@agentclash/challengepack';
import {
  type Attempt,
  type AttemptScored,
  type AuditCertificate,
  type BusEvent,
  type CaseSubset,
  evidence,
  type In,
  type LaneVariant,
  modelSlots,
  packs,
  type Rpc,
  type Run,
  runs,
  scorecards,
  scoringEvents,
  scoringJobs,
} from '@agentclash/contracts';
import type { ModelCallMode } from '@agentclash/domain';
import { newId, type RunningService } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { scoringConfig, startScoring } from '../index.js';
import { PACK, RESULT, RUN, STORED_CASE, TIME, versionOf } from './fixture-documents.js';

/** One attempt as the fake orchestrator reports it. */
export interface TestAttempt {
  attempt_id: string;
  agent: string;
  case_key: string;
  outcome: string;
  output?: string | undefined;
  isFinished: boolean;
  /** Counts on when it is run again. */
  delivery: number;
}

export interface TestAttemptOptions {
  agent?: string;
  case_key?: string;
  outcome?: string;
  isFinished?: boolean;
}

interface FixtureOptions {
  database: { url: string };
  nats: { url: string };
  environment?: Record<string, string>;
}

/** A run of one pack. Its agents are those that its attempts name. */
export class TestRun {
  readonly run_id = newId();
  readonly agents = new Map<string, string>();
  /** By the name of the lane. */
  readonly variants = new Map<string, LaneVariant>();
  readonly attempts: TestAttempt[] = [];
  selectiveRetry = false;
  isDraft = false;
  modelCalls: ModelCallMode | undefined;
  caseSubset: CaseSubset | undefined;
  /** Of a race: why it stopped, its verdicts, its order, and the attempts that each lane did not need. */
  stopped: Run['stopped'];
  race: Run['race'];
  seed: number | undefined;
  readonly skipped = new Map<string, number>();
  status = 'completed';
  pack = 'capitals';
  inputSet = 'default';

  constructor(readonly version_id: string) {}

  add(output: string | undefined, options: TestAttemptOptions = {}): TestAttempt {
    const { agent = 'solver', case_key = 'peru', outcome = 'completed', isFinished = true } = options;
    if (!this.agents.has(agent)) this.agents.set(agent, newId());
    const attempt = { attempt_id: newId(), agent, case_key, outcome, output, isFinished, delivery: 1 };
    this.attempts.push(attempt);
    return attempt;
  }

  idOf(agent: string): string {
    return this.agents.get(agent) ?? '';
  }
}

/** Scoring on real Postgres and NATS, with fakes of the other services that report the runs of a test. */
export class ScoringFixture {
  readonly workspace_id = newId();
  /** The published scores, by message. */
  readonly messages: AttemptScored[][] = [];
  readonly runs = new Map<string, TestRun>();
  private readonly manifests = new Map<string, Manifest>();
  /** Of the newest audits, by version. */
  readonly certificates = new Map<string, AuditCertificate>();
  packModels: Record<string, Record<string, unknown>> = {};

  private constructor(
    readonly bus: Bus,
    private readonly connection: BusConnection,
    private readonly service: RunningService,
    private readonly folder: string,
  ) {}

  static async start({ database, nats, environment = {} }: FixtureOptions): Promise<ScoringFixture> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'agentclash-scoring-'));
    const connection = await BusConnection.open({ servers: [nats.url], name: 'fake-services' });
    await provisionStreams(await connection.jetstreamManager());
    const environmentOf = { DATABASE_URL: database.url, NATS_URL: nats.url, BLOB_FOLDER: folder };
    const config = scoringConfig({ ...environmentOf, ...environment });
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const service = await startScoring(config, { logTo: silent });
    const fixture = new ScoringFixture(new Bus(connection), connection, service, folder);
    fixture.serveAll();
    return fixture;
  }

  async stop(): Promise<void> {
    await this.service.close();
    await this.connection.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Publishes a pack with this evaluation spec and the cases `peru` and `chile`; the version. */
  publish(evaluationSpec: object): string {
    const cases = ['peru', 'chile'].map((case_key) => ({ challenge_key: 'capital', case_key, payload: {} }));
    const document = {
      pack: { slug: 'capitals', name: 'Capitals', family: 'trivia' },
      version: { number: 1, execution_mode: 'prompt_eval', evaluation_spec: evaluationSpec },
      challenges: [
        { key: 'capital', title: 'Capital', category: 'geo', difficulty: 'easy', instructions: 'Name it.' },
      ],
      input_sets: [{ key: 'default', name: 'Default', cases }],
    };
    const reading = readPack(JSON.stringify(document));
    if (!reading.valid) throw new Error(JSON.stringify(reading.problems));
    const version = newId();
    this.manifests.set(version, manifestOf(reading.pack));
    return version;
  }

  run(version: string): TestRun {
    const run = new TestRun(version);
    this.runs.set(run.run_id, run);
    return run;
  }

  /** Sends the job and waits for the published score of the attempt. */
  async score(run: TestRun, { attempt_id }: TestAttempt): Promise<AttemptScored> {
    const seen = this.messages.length;
    await this.send(run, { attempt_id });
    return await this.awaitScored(attempt_id, seen);
  }

  async send({ run_id }: TestRun, { attempt_id }: Pick<TestAttempt, 'attempt_id'>) {
    const job = { workspace_id: this.workspace_id, run_id, attempt_ids: [attempt_id] };
    await this.bus.send(scoringJobs.scoreAttempts, job, newId());
  }

  async awaitScored(attemptId: string, from = 0): Promise<AttemptScored> {
    return await waitFor(() =>
      this.messages
        .slice(from)
        .flat()
        .find(({ attempt_id }) => attempt_id === attemptId),
    );
  }

  /** Scores all attempts and ranks. */
  async complete(run: TestRun) {
    for (const attempt of run.attempts) await this.score(run, attempt);
    const { run_id, version_id } = run;
    const agents = [...run.agents].map(([name, run_agent_id]) => ({
      ...{ run_agent_id, name, variant: run.variants.get(name) },
      attempts_planned: run.attempts.filter(({ agent }) => agent === name).length,
    }));
    const job = {
      ...{ workspace_id: this.workspace_id, run_id, repetitions: 1, agents },
      challenge_pack_version_id: version_id,
      evaluation_spec_id: version_id,
      is_stopped: run.stopped !== undefined || run.skipped.size > 0,
    };
    await this.bus.send(scoringJobs.scoreRun, job, newId());
    return await waitFor(async () => {
      const ranking = await this.ranking(run);
      return ranking.state === 'ready' ? ranking : undefined;
    });
  }

  ranking({ run_id }: TestRun) {
    return this.bus.call(scorecards.ranking, { workspace_id: this.workspace_id, run_id });
  }

  /** The events of a kind that are published from here on. */
  received<E extends BusEvent>(event: E): In<E>[] {
    const received: In<E>[] = [];
    this.connection.nats.subscribe(event.subject, {
      callback: (_error, message) => void received.push(message.json<In<E>>()),
    });
    return received;
  }

  card(attempt_id: string) {
    return this.bus.call(scorecards.attempt, { workspace_id: this.workspace_id, attempt_id });
  }

  private serveAll(): void {
    this.serve(evidence.get, ({ attempt_ids }) => ({
      items: attempt_ids.map((id) => this.evidenceOf(id)),
      absent: [],
      rest: [],
    }));
    this.serve(evidence.field, (request) => ({ items: this.fieldOf(request) }));
    this.serve(packs.manifest, ({ version_id }) => ({
      digest: 'x',
      manifest: this.manifests.get(version_id),
    }));
    this.serve(packs.caseKeys, ({ version_id, input_set_key }) => {
      const set = this.manifests.get(version_id)?.input_sets.find(({ key }) => key === input_set_key);
      const items = (set?.cases ?? []).map(({ case_key, challenge_key }, position) => {
        return { position, case_key, challenge_key, phases: [] };
      });
      return { items, has_more: false };
    });
    this.serve(packs.getVersion, ({ version_id }) => ({
      ...versionOf(version_id),
      audit: this.certificates.get(version_id) ?? null,
    }));
    this.serve(packs.get, () => ({ ...PACK, versions: [...this.manifests.keys()].map(versionOf) }));
    this.serve(runs.get, ({ run_id }) => this.runOf(run_id));
    this.serve(runs.agents, ({ run_id }) => ({ items: this.agentsOf(run_id) }));
    this.serve(runs.attempts, ({ run_id }) => ({ items: this.attemptsOf(run_id), next_cursor: null }));
    const lease_until = new Date(Date.now() + 3_600_000).toISOString();
    this.serve(modelSlots.acquire, () => ({ granted: true, lease_until }));
    this.serve(modelSlots.renew, () => ({ lease_until, held: [] }));
    this.serve(modelSlots.release, () => ({}));
    this.connection.nats.subscribe(scoringEvents.attemptsScored.subject, {
      callback: (_error, message) =>
        void this.messages.push(message.json<{ items: AttemptScored[] }>().items),
    });
  }

  private serve<R extends Rpc>(message: R, data: (request: In<R>) => unknown): void {
    this.connection.nats.subscribe(message.subject, {
      callback: (_error, received) =>
        void received.respond(JSON.stringify(reply(() => data(received.json())))),
    });
  }

  private find(attemptId: string): { run: TestRun; attempt: TestAttempt } {
    for (const run of this.runs.values()) {
      const attempt = run.attempts.find(({ attempt_id }) => attempt_id === attemptId);
      if (attempt !== undefined) return { run, attempt };
    }
    throw new Error(`unknown attempt ${attemptId}`);
  }

  private evidenceOf(attempt_id: string) {
    const { run, attempt } = this.find(attempt_id);
    const { case_key, outcome, output, delivery } = attempt;
    const { run_id, version_id } = run;
    const identity = {
      run_id,
      run_agent_id: run.idOf(attempt.agent),
      attempt_id,
      delivery,
      case_key,
      repetition: 1,
    };
    const event = (sequence_number: number, event_type: string, payload: object) => ({
      event_id: newId(),
      schema_version: '1',
      ...identity,
      ...{ sequence_number, event_type, payload, source: 'scripted_agent', summary: {} },
      occurred_at: '2026-01-01T00:00:00.000Z',
    });
    const started = event(1, 'system.run.started', {});
    const events =
      output === undefined ? [] : [event(2, 'system.output.finalized', { final_output: output })];
    return {
      workspace_id: this.workspace_id,
      ...identity,
      challenge_pack_version_id: version_id,
      evaluation_spec_id: version_id,
      result: { ...RESULT, outcome },
      // Ids of events are no evidence.
      events: [started, ...events].map((each, index) => ({ ...each, event_id: eventId(index) })),
      stored_case: { ...STORED_CASE, case_key, item_key: case_key },
      pack_models: this.packModels,
    };
  }

  private fieldOf({ run_id, case_key }: In<typeof evidence.field>) {
    const run = this.runs.get(run_id);
    return (run?.attempts ?? [])
      .filter((attempt) => attempt.case_key === case_key)
      .map(({ attempt_id, agent, delivery, isFinished }) => ({
        ...{ attempt_id, run_agent_id: run?.idOf(agent), delivery, is_finished: isFinished },
      }));
  }

  private runOf(run_id: string) {
    const run = this.runs.get(run_id);
    if (run === undefined) throw new NotFound(`There is no run ${run_id}.`);
    const isOver = run.attempts.every(({ isFinished }) => isFinished);
    return {
      ...RUN,
      id: run_id,
      workspace_id: this.workspace_id,
      challenge_pack_version_id: run.version_id,
      evaluation_spec_id: run.version_id,
      ...(run.isDraft && { draft: true }),
      selective_retry: run.selectiveRetry,
      model_calls: run.modelCalls,
      case_subset: run.caseSubset,
      ...{ stopped: run.stopped, race: run.race, seed: run.seed },
      stop_when: run.seed === undefined ? undefined : { budget: { attempts: 1_000 } },
      status: run.status,
      pack: { ...RUN.pack, slug: run.pack },
      input_set: { ...RUN.input_set, key: run.inputSet },
      progress: progressOf(run.attempts),
      finished_at: isOver ? TIME : null,
    };
  }

  private agentsOf(run_id: string) {
    const run = this.runs.get(run_id);
    return [...(run?.agents ?? [])].map(([name, id]) => ({
      ...{ id, run_id, name, kind: 'scripted', deployment_id: id, deployment_revision: 1 },
      variant: run?.variants.get(name),
      progress: {
        ...progressOf(run?.attempts.filter(({ agent }) => agent === name) ?? []),
        skipped: run?.skipped.get(name),
      },
      overall_so_far: null,
    }));
  }

  private attemptsOf(run_id: string): Attempt[] {
    const run = this.runs.get(run_id);
    return (run?.attempts ?? []).map(
      ({ attempt_id: id, agent, case_key }) =>
        ({
          ...{
            id,
            run_id,
            run_agent_id: run?.idOf(agent),
            agent_name: agent,
            case_key,
            repetition: 1,
            delivery: 1,
          },
          ...{ state: 'finished', outcome: 'completed', limit_kind: null, finished_by: null, error: null },
          ...{ overall: null, passed: null, validity: null, is_scored: true, tool_call_count: null },
          ...{ latency_ms: null, started_at: null, finished_at: null, awaits: null },
        }) as Attempt,
    );
  }
}

class NotFound extends Error {}

function reply(data: () => unknown): object {
  try {
    return { ok: true, data: data() };
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    return { ok: false, error: { code: 'not_found', message: error.message, details: {} } };
  }
}

function eventId(index: number): string {
  return `00000000-0000-7000-8000-00000000000${index}`;
}

function progressOf(attempts: readonly TestAttempt[]) {
  const completed = attempts.filter(({ outcome }) => outcome === 'completed').length;
  const total = attempts.length;
  return {
    total,
    queued: 0,
    running: 0,
    finished: total,
    scored: total,
    passed: 0,
    by_outcome: { completed },
  };
}
