import { setTimeout as delay } from 'node:timers/promises';
import { type Client, routes } from '@agentclash/api';
import type { CountingProvider } from './counting-provider.js';
import { FAULTS, type FaultContext, TargetNotFound } from './faults.js';
import { describe, type PlannedFault } from './plan.js';
import { attemptsOf, eventsOf, placingsOf, type RunRecord } from './record.js';
import { sandboxRemains } from './remains.js';
import { Stored } from './stored.js';
import { rankingViolations, violationsOf } from './violations.js';

/** The entries that can be run repeatedly: versions and deployments, by run. */
export type Entries = readonly { key: string; versionId: string; deploymentIds: string[] }[];

export interface RoundOptions {
  context: FaultContext;
  provider: CountingProvider;
  entries: Entries;
  plan: readonly PlannedFault[];
  /** The same, when nothing was disturbed. */
  baseline?: readonly RunRecord[] | undefined;
  log: (line: string) => void;
}

/** How one race ended. */
export interface Round {
  runs: RunRecord[];
  /** Empty when nothing is wrong. */
  violations: string[];
  seconds: number;
  /** Deliveries beyond the first, over all attempts. */
  redeliveries: number;
  /** Faults that were left out, since the race ended before their moment. */
  missed: readonly PlannedFault[];
}

const WATCH_EVERY_MS = 100;
/** Three leases, their retries, and all that is undisturbed. */
const RUN_MS_MAX = 420_000;
/** The time until the remains are gone: leases of calls and the reaper take half a minute. */
const CLEANUP_MS_MAX = 90_000;

/** Runs the race under the faults of the plan and checks everything that it leaves. */
export async function runRound(options: RoundOptions): Promise<Round> {
  const { context, provider, entries } = options;
  const stored = new Stored(context.fleet);
  provider.reset();
  const startedAt = Date.now();
  const runIds = await Promise.all(entries.map(async (entry) => await started(context.fleet.client, entry)));
  const watch = new Watch(stored, runIds);
  const missed = await runUnderFaults(options, watch);
  const seconds = (Date.now() - startedAt) / 1_000;
  const runs = await Promise.all(
    entries.map(
      async ({ key }, index) =>
        await recordOf(context.fleet.client, stored, { key, id: runIds[index] ?? '' }),
    ),
  );
  const violations = [
    ...(watch.haveEnded ? [] : [`not ended after ${RUN_MS_MAX / 1_000} s`]),
    ...runs.flatMap((run) => violationsOf(run, provider.calls)),
    ...runs.flatMap((run) => {
      const baseline = options.baseline?.find(({ key }) => key === run.key);
      return baseline === undefined ? [] : rankingViolations(run, baseline);
    }),
    ...(await remains(context, stored)),
  ];
  const deliveries = runs.flatMap(({ attempts }) => attempts.map(({ delivery }) => delivery));
  const redeliveries = deliveries.reduce((sum, delivery) => sum + Math.max(0, delivery - 1), 0);
  return { runs, violations, seconds, redeliveries, missed };
}

async function started(client: Client, { versionId, deploymentIds }: Entries[number]): Promise<string> {
  const body = { challenge_pack_version_id: versionId, deployment_ids: deploymentIds };
  return (await client.call(routes.runs.create, { body })).id;
}

/** Waits for the end of the race under the faults of the plan; returns those that came too late. */
async function runUnderFaults(options: RoundOptions, watch: Watch): Promise<readonly PlannedFault[]> {
  try {
    const [missed] = await Promise.all([injectFaults(options, watch), watch.ended()]);
    return missed;
  } finally {
    watch.stop();
  }
}

/** Injects the faults of the plan; waits until each is restored, except where it lasts. */
async function injectFaults(
  { plan, context, log }: RoundOptions,
  watch: Watch,
): Promise<readonly PlannedFault[]> {
  const lasting: Promise<void>[] = [];
  const missed: PlannedFault[] = [];
  for (const planned of plan) {
    const { kind, at, seconds } = planned;
    await watch.reached(at);
    if (watch.haveEnded) {
      missed.push(planned);
      continue;
    }
    log(`  ${describe(planned)}`);
    const recovered = FAULTS[kind].run(context, seconds).catch((error) => {
      if (!(error instanceof TargetNotFound)) throw error;
      log(`  ${kind}: its target was not found`);
    });
    if (FAULTS[kind].isLasting) lasting.push(recovered);
    else await recovered;
  }
  await Promise.all(lasting);
  return missed;
}

async function recordOf(
  client: Client,
  stored: Stored,
  { key, id }: { key: string; id: string },
): Promise<RunRecord> {
  const run = await retryWhileUnavailable(() => client.call(routes.runs.get, { params: { run_id: id } }));
  const rows = await stored.attempts([id]);
  return {
    key,
    status: run.status,
    attempts: await attemptsOf(client, id),
    stored: new Map(rows.map((row) => [row.id, row])),
    scorecards: await stored.scorecards([id]),
    events: await eventsOf(client, id),
    ranking: run.status === 'completed' ? await placingsOf(client, id) : [],
  };
}

/** Sandboxes, their records and calls that are still there when they should long be gone. */
async function remains({ fleet }: FaultContext, stored: Stored): Promise<string[]> {
  const deadline = Date.now() + CLEANUP_MS_MAX;
  for (;;) {
    const slots = await stored.modelSlots();
    const left = [
      ...sandboxRemains(fleet.executorPids).map((each) => `left over: ${each}`),
      ...(slots === 0 ? [] : [`left over: ${slots} slots of calls to models`]),
    ];
    if (left.length === 0 || Date.now() > deadline) return left;
    await delay(WATCH_EVERY_MS);
  }
}

/** How far runs are, read from the database while that is there. */
class Watch {
  haveEnded = false;
  private finished = 0;
  private deadline = Date.now() + RUN_MS_MAX;

  constructor(
    private readonly stored: Stored,
    private readonly runIds: readonly string[],
  ) {}

  stop(): void {
    this.deadline = 0;
  }

  /** Resolves when this share of the attempts has finished. */
  async reached(share: number): Promise<void> {
    while (this.finished < share && !this.haveEnded && Date.now() < this.deadline)
      await delay(WATCH_EVERY_MS);
  }

  /** Resolves when the runs are over, or have taken too long. */
  async ended(): Promise<void> {
    while (!this.haveEnded && Date.now() < this.deadline) {
      try {
        const { finished, haveEnded } = await this.stored.progress(this.runIds);
        this.finished = finished;
        this.haveEnded = haveEnded;
      } catch {
        // The database is the target of the fault.
      }
      await delay(WATCH_EVERY_MS);
    }
  }
}

/** The last target may still be starting. */
async function retryWhileUnavailable<T>(call: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + CLEANUP_MS_MAX;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(WATCH_EVERY_MS);
    }
  }
}
