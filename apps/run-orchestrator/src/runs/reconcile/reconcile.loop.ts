import { LOGGER, type Logger, PeriodicTask } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { RunEndPublisher } from '../changes/outbox-publisher.js';
import { ExpiredLeases } from '../commands/expired-leases.js';
import { RaceDecisions } from '../commands/race-decisions.js';
import { RunLifecycle } from '../commands/run-lifecycle.js';
import { ScoreRepairs } from '../commands/scores.service.js';
import { ModelSlotsStore } from '../model-slots/model-slots.store.js';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { RacesStore } from '../store/races.store.js';
import { RunsStore } from '../store/runs.store.js';

/** One kind of stale work: the query that finds it and the repair of each entry. */
export interface Repair {
  name: string;
  /** Each entry is repaired separately, so that one that fails does not delay the others. */
  find: (now: Date) => Promise<(() => Promise<void>)[]>;
}

/** A job that stays unclaimed for this long is sent again. */
const CLAIM_WAIT_MS = 60_000;

/** A race that stays without a decision for this long is decided on again. */
const RACE_WAIT_MS = 10_000;

/** Repairs, in order. */
@Injectable()
export class Repairs {
  readonly all: readonly Repair[];

  constructor(
    attempts: AttemptReads,
    runs: RunsStore,
    slots: ModelSlotsStore,
    leases: ExpiredLeases,
    lifecycle: RunLifecycle,
    scores: ScoreRepairs,
    ends: RunEndPublisher,
    races: RacesStore,
    decisions: RaceDecisions,
  ) {
    this.all = [
      {
        name: 'lost leases',
        find: async (now) => (await attempts.expiredLeases(now)).map((lost) => () => leases.end(lost)),
      },
      {
        name: 'unclaimed jobs',
        find: async (now) => {
          const before = new Date(now.getTime() - CLAIM_WAIT_MS);
          const byRun = idsByRun(await attempts.unclaimed(before));
          return [...byRun].map(
            ([runId, ids]) =>
              () =>
                lifecycle.resendJobs(runId, ids, before),
          );
        },
      },
      {
        name: 'stalled runs',
        find: async (now) => {
          const stalled = await attempts.stalledRuns(now);
          return stalled.map((id) => () => lifecycle.launch(id));
        },
      },
      {
        name: 'half-stopped runs',
        find: async () => (await attempts.halfStoppedRuns()).map((id) => () => lifecycle.finishWaiting(id)),
      },
      {
        name: 'undecided races',
        find: async (now) => {
          const due = await races.due(new Date(now.getTime() - RACE_WAIT_MS));
          return due.map((id) => () => decisions.decide(id));
        },
      },
      {
        name: 'unscored attempts',
        find: async (now) => {
          const byRun = idsByRun(await attempts.dueScores(now));
          return [...byRun].map(
            ([runId, ids]) =>
              () =>
                scores.ofAttempts(runId, ids),
          );
        },
      },
      {
        name: 'unscored runs',
        find: async (now) => (await runs.unscoredRuns(now)).map((id) => () => scores.ofRun(id)),
      },
      {
        name: 'unannounced ends',
        find: async () => (await runs.unannouncedRuns()).map((id) => () => ends.publish(id)),
      },
      {
        name: 'slots of lost calls',
        find: async (now) => ((await slots.hasExpiredSlots(now)) ? [() => slots.dropExpiredSlots(now)] : []),
      },
    ];
  }
}

function idsByRun(rows: readonly { id: string; runId: string }[]): Map<string, string[]> {
  const byRun = new Map<string, string[]>();
  for (const { id, runId } of rows) byRun.set(runId, [...(byRun.get(runId) ?? []), id]);
  return byRun;
}

export class ReconcileSettings {
  constructor(readonly everyMs: number) {}
}

/** Finds and repairs what a lost message or process left behind. Several instances may: every repair is conditional. */
@Injectable()
export class ReconcileLoop extends PeriodicTask {
  constructor(repairs: Repairs, { everyMs }: ReconcileSettings, @Inject(LOGGER) logger: Logger) {
    super({
      run: async (signal) => {
        for (const repair of repairs.all) if (!signal.aborted) await reconcile(repair, signal, logger);
      },
      everyMs,
      failureMessage: 'reconciliation failed',
      logger,
    });
  }
}

async function reconcile({ name, find }: Repair, signal: AbortSignal, logger: Logger): Promise<void> {
  try {
    for (const apply of await find(new Date())) {
      if (signal.aborted) return;
      await apply().catch((error: unknown) => logger.warn({ err: error, repair: name }, 'repair failed'));
    }
  } catch (error) {
    logger.warn({ err: error, repair: name }, 'reconcile query failed');
  }
}
