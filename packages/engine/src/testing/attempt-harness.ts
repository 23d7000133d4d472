import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ArtifactRef, AttemptPlan, GraderPlan, ScriptStep } from '@agentclash/attempt-plan';
import type { JsonObject, JsonValue } from '@agentclash/challengepack';
import type {
  AttemptEvent,
  AttemptResult,
  EventPayloads,
  ExecutionEventType as EventType,
  SnapshotRef,
} from '@agentclash/domain';
import { createEgress } from '@agentclash/egress';
import { Secret } from '@agentclash/redaction';
import { type BubblewrapProvider, createBubblewrapProvider } from '@agentclash/sandbox';
import { type RunAttemptOptions, resumeAttempt, runAttempt } from '../attempt/run-attempt.js';
import { SandboxImages } from '../attempt/sandbox-images.js';
import type { SnapshotStore } from '../attempt/settle.js';
import { systemClock } from '../clock.js';
import type { HumanReply } from '../conversation/state.js';
import { type HistoryOptions, openHistory } from '../events/history.js';
import type { ArtifactReader } from '../staging/artifacts.js';
import { type ArgumentChecks, argumentsCheck } from '../tools/arguments.js';
import { type Verification, verifyAttempt } from '../verifier/verify-attempt.js';
import type { PatternSearches, QueryLimiter } from '../workers/bounded-work.js';
import { searchPattern } from '../workers/pattern-search.js';
import { attemptPlan } from './plans.js';

/** Runs attempts in real sandboxes; all else is small and in memory. */
export class AttemptHarness {
  readonly store = new MemoryStore();
  readonly secrets = new Map<string, string>();
  /** Origins to which secrets are bound; without an entry a secret may go anywhere. */
  readonly secretOrigins = new Map<string, readonly string[]>();
  readonly errors: unknown[] = [];
  readonly stateDir = mkdtempSync(path.join(tmpdir(), 'agentclash-engine-'));
  private provider: BubblewrapProvider | undefined;

  async open(): Promise<void> {
    chmodSync(this.stateDir, 0o755);
    this.provider = await createBubblewrapProvider({
      stateDir: this.stateDir,
      cgroupName: path.basename(this.stateDir),
    });
  }

  async close(): Promise<void> {
    await this.provider?.close();
    rmSync(this.stateDir, { recursive: true, force: true });
  }

  /** The records and disks of sandboxes that are still on the machine. */
  leftovers(): string[] {
    return ['live', 'disk'].flatMap((name) => {
      const directory = path.join(this.stateDir, name);
      return existsSync(directory) ? readdirSync(directory) : [];
    });
  }

  get sandboxes(): BubblewrapProvider {
    if (!this.provider) throw new Error('the harness is not open');
    return this.provider;
  }

  /** Opens a history that a test can read. */
  record(
    plan: AttemptPlan,
    emitted: AttemptEvent[] = [],
    bounds: Pick<HistoryOptions, 'eventsMax' | 'keptEvents'> = {},
  ) {
    const history = openHistory(plan, {
      clock: systemClock,
      emit: (event) => emitted.push(event),
      ...bounds,
      lastSequence: emitted.at(-1)?.sequence_number,
      secrets: {
        resolve: async (keys) =>
          keys.map((key) => new Secret(key, this.valueOf(key), this.secretOrigins.get(key) ?? null)),
      },
    });
    return { history, emitted };
  }

  /** Drives an attempt to its end; each of `replies` ends one wait for a person. */
  async run(
    plan: AttemptPlan,
    changes: Partial<RunAttemptOptions> = {},
    replies: readonly HumanReply[] = [],
    bounds: { eventsMax?: number } = {},
  ): Promise<Attempt> {
    const { history, emitted } = this.record(plan, [], bounds);
    const options = {
      ...this.ports(),
      plan,
      history,
      signal: new AbortController().signal,
      ...changes,
    };
    let progress = await runAttempt(options);
    for (const reply of replies) {
      if ('ended' in progress) break;
      const parked = { ...progress.parked, state: JSON.parse(JSON.stringify(progress.parked.state)) };
      const { history: later } = this.record(plan, emitted, { keptEvents: parked.state.kept_events });
      progress = await resumeAttempt({ ...options, history: later, parked, reply });
      options.history = later;
    }
    if ('parked' in progress) throw new Error('the attempt waits for one more reply');
    const result = progress.ended;
    const verify: Attempt['verify'] = (grader, snapshot = result.snapshot, more = {}) => {
      if (!snapshot && plan.mode !== 'prompt_eval') throw new Error('there is no snapshot');
      return verifyAttempt({ ...options, ...more, plan: grader, runId: plan.run_id, snapshot });
    };
    return { result, events: new EventLog(emitted), verify };
  }

  ports() {
    return {
      sandboxes: this.sandboxes,
      images: new SandboxImages(this.sandboxes),
      egress: createEgress(),
      artifacts: this.store,
      argumentChecks,
      patternSearches,
      queryLimiter: queryLimiter,
      snapshots: this.store,
      clock: systemClock,
      onError: (error: unknown) => this.errors.push(error),
    };
  }

  private valueOf(key: string): string {
    const value = this.secrets.get(key);
    if (value === undefined) throw new Error(`no secret ${key}`);
    return value;
  }
}

export interface Attempt {
  result: AttemptResult;
  events: EventLog;
  verify: (
    grader: GraderPlan,
    snapshot?: SnapshotRef | null,
    more?: Pick<RunAttemptOptions, 'starvationMax'>,
  ) => Promise<Verification>;
}

/** The recorded events of an attempt. */
export class EventLog {
  constructor(readonly all: readonly AttemptEvent[]) {}

  types(): EventType[] {
    return this.all.map((event) => event.event_type);
  }

  payloads<T extends EventType>(type: T): EventPayloads[T][] {
    return this.all.flatMap((event) =>
      event.event_type === type ? [event.payload as EventPayloads[T]] : [],
    );
  }

  text(): string {
    return JSON.stringify(this.all);
  }
}

/** The result of one call, as the agent received it. */
export interface CallResult {
  ok: boolean;
  result: JsonValue;
}

/** Makes calls in one attempt. */
export async function runCalls(
  harness: AttemptHarness,
  steps: [string, JsonObject][],
  changes: Partial<AttemptPlan> = {},
): Promise<Attempt & { read: CallResult[] }> {
  const config = { steps: steps.map(([name, args]): ScriptStep => ({ call: { name, arguments: args } })) };
  const attempt = await harness.run(attemptPlan({ kind: 'scripted', config }, changes));
  const ends = attempt.events.all.filter(({ event_type }) =>
    /^tool\.call\.(completed|failed)$/.test(event_type),
  );
  const read = ends.map(({ event_type, payload }) => ({
    ok: event_type === 'tool.call.completed',
    result: 'result' in payload ? payload.result : null,
  }));
  return { ...attempt, read };
}

/** Stored bytes in memory, addressed as the blob store does. */
class MemoryStore implements ArtifactReader, SnapshotStore {
  private readonly blobs = new Map<string, Uint8Array>();

  add(content: string | Uint8Array): ArtifactRef {
    const data = Buffer.from(content);
    const sha256 = createHash('sha256').update(data).digest('hex');
    this.blobs.set(sha256, data);
    return { artifact_id: sha256, sha256, bytes: data.length };
  }

  async read({ artifact_id }: ArtifactRef): Promise<Uint8Array> {
    const data = this.blobs.get(artifact_id);
    if (!data) throw new Error('no such blob');
    return data;
  }

  async put(chunks: AsyncIterable<Uint8Array>): Promise<SnapshotRef> {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    const { sha256, bytes } = this.add(Buffer.concat(parts));
    return { sha256, bytes };
  }

  async *get({ sha256 }: SnapshotRef): AsyncIterable<Uint8Array> {
    yield await this.read({ artifact_id: sha256, sha256, bytes: 0 });
  }
}

/** Checks at once, in the calling thread. */
const argumentChecks: ArgumentChecks = {
  check: async ({ schema, args, opaque }) => argumentsCheck(schema)(args, opaque),
};

/** Searches at once, in the calling thread. */
export const patternSearches: PatternSearches = { search: async (task) => searchPattern(task) };

/** Every query runs at once. */
const queryLimiter: QueryLimiter = { run: (work) => work() };
