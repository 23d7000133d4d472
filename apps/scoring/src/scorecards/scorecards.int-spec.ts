import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { Bus, BusConnection, provisionStreams } from '@agentclash/bus';
import { manifestOf, readPack } from '@agentclash/challengepack';
import {
  type AttemptScored,
  ContractError,
  evidence,
  packs,
  type Rpc,
  scorecards,
  scoringEvents,
  scoringJobs,
} from '@agentclash/contracts';
import { Blobs, newId, type RunningService } from '@agentclash/service-kit';
import { freshDatabase, freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { scoringConfig, startScoring } from '../index.js';

const database = await freshDatabase();
const nats = await freshNats();

const PACK = `
pack: {slug: capitals, name: Capitals, family: trivia}
version:
  number: 1
  execution_mode: prompt_eval
  evaluation_spec:
    name: capitals
    version_number: 1
    judge_mode: deterministic
    validators: [{key: exact, type: exact_match, target: final_output, expected_from: case.expectations.solution}]
    metrics: [{key: passing, type: numeric, collector: validator_pass_rate}, {key: mean, type: numeric, collector: validator_mean_score}]
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges: [{key: capital, title: Capital, category: geo, difficulty: easy, instructions: Name it.}]
input_sets:
  - {key: default, name: Default, cases: [{challenge_key: capital, case_key: peru, payload: {}, expectations: [{key: solution, kind: text, value: Lima}]}]}
`;
const reading = readPack(PACK);
if (!reading.valid) throw new Error(JSON.stringify(reading.problems));
const manifest = manifestOf(reading.pack);

const workspace_id = newId();
const run_id = newId();

interface TestAttempt {
  run_agent_id: string;
  outcome?: string;
  /** The payload of the event that holds the output; absent without output. */
  output?: object;
  /** Has 20,000 events, which come in pages. */
  isLong?: true;
  /** The pages fail. */
  isUnreadable?: true;
}

const EVENTS = 20_000;

describe('scoring on real Postgres and NATS', () => {
  const attempts = new Map<string, TestAttempt>();
  const announced: AttemptScored[] = [];
  /** The number of attempts in each message. */
  const messages: number[] = [];
  let folder: string;
  let service: RunningService;
  let connection: BusConnection;
  let bus: Bus;
  let blobs: Blobs;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'agentclash-scoring-'));
    blobs = await Blobs.inFolder(folder);
    connection = await BusConnection.open({ servers: [nats.url], name: 'fake-services' });
    bus = new Bus(connection);
    await provisionStreams(await connection.jetstreamManager());
    serve(evidence.get, ({ attempt_ids }: { attempt_ids: string[] }) => evidenceOfAll(attempt_ids));
    serve(evidence.events, pageOf);
    serve(packs.manifest, () => ({ digest: 'sha256:0', manifest }));
    connection.nats.subscribe(scoringEvents.attemptsScored.subject, {
      callback: (_error, message) => {
        const scored = message.json<{ items: AttemptScored[] }>();
        messages.push(scored.items.length);
        announced.push(...scored.items);
      },
    });
    const config = scoringConfig({ DATABASE_URL: database.url, NATS_URL: nats.url, BLOB_FOLDER: folder });
    service = await startScoring(config, { logTo: new Writable({ write: (_c, _e, done) => done() }) });
  });

  beforeEach(() => {
    announced.length = 0;
    messages.length = 0;
  });

  afterAll(async () => {
    await service.close();
    await connection.close();
    await rm(folder, { recursive: true, force: true });
  });

  function serve(message: Rpc, data: (request: never) => unknown): void {
    connection.nats.subscribe(message.subject, {
      callback: (_error, request) => {
        try {
          request.respond(JSON.stringify({ ok: true, data: data(request.json()) }));
        } catch (error) {
          const { code, message } = error as ContractError;
          request.respond(JSON.stringify({ ok: false, error: { code, message, details: {} } }));
        }
      },
    });
  }

  /** Two per reply; attempts that the test did not add are absent. */
  function evidenceOfAll(ids: string[]) {
    const known = ids.filter((id) => attempts.has(id));
    const absent = ids.filter((id) => !attempts.has(id));
    return {
      items: known.slice(0, 2).map((id) => (attempts.get(id)?.isLong ? longEvidenceOf(id) : evidenceOf(id))),
      absent: absent.map((attempt_id) => ({ attempt_id, code: 'not_found' })),
      rest: known.slice(2),
    };
  }

  function evidenceOf(attempt_id: string) {
    const {
      run_agent_id,
      outcome = 'completed',
      output: payload,
    } = attempts.get(attempt_id) ?? { run_agent_id: run_id };
    const identity = { run_id, run_agent_id, attempt_id, delivery: 1, case_key: 'peru', repetition: 1 };
    const event = (sequence_number: number, event_type: string, content: object) => ({
      event_id: `${attempt_id}:${sequence_number}`,
      schema_version: '1',
      ...identity,
      sequence_number,
      event_type,
      source: 'scripted_agent',
      occurred_at: '2026-01-01T00:00:00.000Z',
      payload: content,
      summary: {},
    });
    return {
      workspace_id,
      ...identity,
      challenge_pack_version_id: run_id,
      evaluation_spec_id: run_id,
      result: {
        outcome,
        limit_kind: null,
        finished_by: 'script',
        error: null,
        retry_after_ms: null,
        last_sequence: 2,
        final_output_bytes: null,
        tool_call_count: 0,
        usage: null,
        cost_usd: null,
        latency_ms: 1,
        snapshot: null,
      },
      events: [
        event(1, 'system.run.started', {}),
        ...(payload ? [event(2, 'system.output.finalized', payload)] : []),
      ],
      stored_case: {
        position: 0,
        challenge_key: 'capital',
        case_key: 'peru',
        item_key: 'peru',
        kind: 'case_document',
        document: {
          schema_version: 1,
          case_key: 'peru',
          expectations: [{ key: 'solution', kind: 'text', value: 'Lima' }],
        },
      },
    };
  }

  /** An attempt of 20,000 events: all but the first two thousand come in pages, its output last. */
  function pageOf({ attempt_id, after }: { attempt_id: string; after: number }) {
    if (attempts.get(attempt_id)?.isUnreadable) throw new ContractError('too_large', 'It does not fit.');
    const [first, attemptWith] = evidenceOf(attempt_id).events;
    const numbers = Array.from({ length: 2_000 }, (_, index) => after + index + 1).filter((n) => n <= EVENTS);
    const items = numbers.map((sequence_number) => ({
      ...(sequence_number === EVENTS ? attemptWith : { ...first, event_type: 'policy.violation' }),
      event_id: `${attempt_id}:${sequence_number}`,
      sequence_number,
    }));
    return { items, has_more: after + 2_000 < EVENTS };
  }

  function longEvidenceOf(attempt_id: string) {
    const { events, ...stored } = evidenceOf(attempt_id);
    return { ...stored, events: events.slice(0, 1), has_more_events: true };
  }

  async function score(attempt: TestAttempt, enqueue = newId()): Promise<(typeof announced)[number]> {
    const attempt_id = newId();
    attempts.set(attempt_id, attempt);
    return await scoreAgain(attempt_id, enqueue);
  }

  async function scoreAgain(attempt_id: string, enqueue = newId()) {
    announced.length = 0;
    await bus.send(scoringJobs.scoreAttempts, { workspace_id, run_id, attempt_ids: [attempt_id] }, enqueue);
    return await waitFor(() => announced.find((event) => event.attempt_id === attempt_id));
  }

  test('an attempt is scored from its evidence, its scorecard is stored and its score published', async () => {
    const { attempt_id, ...scored } = await score({
      run_agent_id: newId(),
      output: { final_output: 'Lima' },
    });
    expect(scored).toMatchObject({ revision: 1, overall: 1, passed: true, validity: 'valid', failure: null });
    const card = await bus.call(scorecards.attempt, { workspace_id, attempt_id });
    expect(card).toMatchObject({
      state: 'ready',
      revision: 1,
      scorecard: { overall: 1, validators: [{ key: 'exact', verdict: 'pass' }] },
    });
  });

  test('an attempt of 20,000 events is scored by all of them, and the other attempts of its job too', async () => {
    const [long, short] = [newId(), newId()];
    const output = { final_output: 'Lima' };
    attempts.set(long, { run_agent_id: newId(), output, isLong: true });
    attempts.set(short, { run_agent_id: newId(), output });
    const job = { workspace_id, run_id, attempt_ids: [long, short] };
    await bus.send(scoringJobs.scoreAttempts, job, newId());
    for (const attempt_id of [long, short]) {
      const scored = await waitFor(() => announced.find((event) => event.attempt_id === attempt_id), {
        timeoutMs: 30_000,
      });
      expect(scored).toMatchObject({ overall: 1, passed: true, validity: 'valid' });
    }
  }, 60_000);

  test('the other attempts of a job are scored when the event pages of one cannot be read', async () => {
    const [broken, fine] = [newId(), newId()];
    const output = { final_output: 'Lima' };
    attempts.set(broken, { run_agent_id: newId(), output, isLong: true, isUnreadable: true });
    attempts.set(fine, { run_agent_id: newId(), output });
    const job = { workspace_id, run_id, attempt_ids: [broken, fine] };
    await bus.send(scoringJobs.scoreAttempts, job, newId());
    const scored = await waitFor(() => announced.find((event) => event.attempt_id === fine));
    expect(scored).toMatchObject({ overall: 1, passed: true });
    expect(announced.map(({ attempt_id }) => attempt_id)).not.toContain(broken);
  });

  test('a published score carries the metrics and times that the history records', async () => {
    const before = Date.now();
    const scored = await score({ run_agent_id: newId(), output: { final_output: 'Lima' } });
    expect(scored.metrics).toEqual([
      { key: 'passing', state: 'available', value: 1 },
      { key: 'mean', state: 'available', value: 1 },
    ]);
    const [started, ended] = [scored.started_at, scored.ended_at].map((at) => Date.parse(at ?? ''));
    expect(started).toBeGreaterThanOrEqual(before);
    expect(ended).toBeGreaterThanOrEqual(started ?? Number.POSITIVE_INFINITY);
  });

  test('a large payload is read from the blob store', async () => {
    const { sha256, bytes } = await blobs.evidence.put(JSON.stringify({ final_output: 'Lima' }));
    const output = { $ref: `sha256:${sha256}`, bytes, type: 'system.output.finalized' };
    expect(await score({ run_agent_id: newId(), output })).toMatchObject({ overall: 1 });
  });

  test('an attempt that was not graded is missing data, never a zero', async () => {
    const scored = await score({ run_agent_id: newId(), outcome: 'infra_error' });
    expect(scored).toMatchObject({ overall: null, validity: 'invalid' });
  });

  test('scoring the same evidence again keeps the revision, and other evidence adds one', async () => {
    const run_agent_id = newId();
    const { attempt_id } = await score({ run_agent_id, output: { final_output: 'Cusco' } });
    expect(await scoreAgain(attempt_id)).toMatchObject({ revision: 1, overall: 0 });
    attempts.set(attempt_id, { run_agent_id, output: { final_output: 'Lima' } });
    expect(await scoreAgain(attempt_id)).toMatchObject({ revision: 2, overall: 1 });
  });

  test('many attempts of one job are scored in batches, and the known ones beside an unknown one', async () => {
    const outputs = ['Lima', 'Cusco', 'Lima', 'Lima'];
    const known = outputs.map((final_output) => {
      const id = newId();
      attempts.set(id, { run_agent_id: newId(), output: { final_output } });
      return id;
    });
    const attempt_ids = [...known, newId()];
    await bus.send(scoringJobs.scoreAttempts, { workspace_id, run_id, attempt_ids }, newId());
    await waitFor(() => announced.length === 4 || undefined);
    const overall = new Map(announced.map((each) => [each.attempt_id, each.overall]));
    expect(known.map((id) => overall.get(id))).toEqual([1, 0, 1, 1]);
    expect(messages).toEqual([2, 2]);
  });

  test('an attempt that a job names twice gets one revision', async () => {
    const id = newId();
    attempts.set(id, { run_agent_id: newId(), output: { final_output: 'Lima' } });
    const job = { workspace_id, run_id, attempt_ids: [id, id] };
    await bus.send(scoringJobs.scoreAttempts, job, newId());
    await waitFor(() => announced.length === 2 || undefined);
    expect(announced.map(({ revision }) => revision)).toEqual([1, 1]);
  });

  test('the agents of a run are ranked, and another workspace cannot read the ranking', async () => {
    const [good, poor] = [newId(), newId()];
    await score({ run_agent_id: poor, output: { final_output: 'Cusco' } });
    await score({ run_agent_id: good, output: { final_output: 'Lima' } });
    const agents = [poor, good].map((id) => ({
      run_agent_id: id,
      name: id === good ? 'good' : 'poor',
      attempts_planned: 1,
    }));
    const job = {
      workspace_id,
      run_id,
      challenge_pack_version_id: run_id,
      evaluation_spec_id: run_id,
      repetitions: 1,
      agents,
    };
    await bus.send(scoringJobs.scoreRun, job, newId());
    const ranking = await waitFor(async () => {
      const found = await bus.call(scorecards.ranking, { workspace_id, run_id });
      return found.state === 'ready' ? found : undefined;
    });
    expect(ranking.items.map(({ name, rank, passed }) => [name, rank, passed])).toEqual([
      ['good', 1, true],
      ['poor', 2, false],
    ]);
    expect(await bus.call(scorecards.ranking, { workspace_id: newId(), run_id })).toMatchObject({
      state: 'pending',
    });
    const failures = await bus.call(scorecards.failures, { workspace_id, run_id });
    expect(failures).toMatchObject({
      items: [
        {
          cluster_key: expect.stringMatching(/^frc_[0-9a-f]{64}$/),
          ...{ run_agent_id: poor, agent_name: 'poor', case_key: 'peru', attempts: 1, runs: 1 },
          ...{ class: 'incorrect_final_output', code: 'agent.output_incorrect', failing_keys: ['exact'] },
        },
      ],
      next_cursor: null,
    });
    expect(await bus.call(scorecards.failures, { workspace_id: newId(), run_id })).toMatchObject({
      items: [],
    });
  });
});
