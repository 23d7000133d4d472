import { Injectable } from '@nestjs/common';
import { EndPublisher } from '../changes/end-publisher.js';
import { LostLeases } from '../commands/lost-leases.js';
import { RunCourse } from '../commands/run-lifecycle.js';
import { ScoreRepairs } from '../commands/score-repairs.js';
import { ForgottenStore } from '../store/stale-work.store.js';

/** One thing that may have been forgotten: what finds it and what mends it. */
export interface Repair {
  name: string;
  /** Each entry is mended apart, so that one that fails does not keep the others waiting. */
  find: (now: Date) => Promise<(() => Promise<void>)[]>;
}

/** A job that nobody claimed for this long is sent again. */
const NUDGE_WAIT_MS = 60_000;

/** All that the orchestrator looks after by itself, in the order in which it is looked for. */
@Injectable()
export class Repairs {
  readonly all: readonly Repair[];

  constructor(
    forgotten: ForgottenStore,
    leases: LostLeases,
    course: RunCourse,
    scores: ScoreRepairs,
    ends: EndPublisher,
  ) {
    this.all = [
      {
        name: 'lost leases',
        find: async (now) => (await forgotten.expiredLeases(now)).map((lost) => () => leases.end(lost)),
      },
      {
        name: 'unclaimed jobs',
        find: async (now) => {
          const before = new Date(now.getTime() - NUDGE_WAIT_MS);
          const byRun = idsByRun(await forgotten.unclaimed(before));
          return [...byRun].map(
            ([runId, ids]) =>
              () =>
                course.nudgeAgain(runId, ids, before),
          );
        },
      },
      {
        name: 'stalled runs',
        find: async (now) => {
          const stalled = await forgotten.stalledRuns(now);
          return stalled.map((id) => () => course.launch(id));
        },
      },
      {
        name: 'half-stopped runs',
        find: async () => (await forgotten.halfStoppedRuns()).map((id) => () => course.finishWaiting(id)),
      },
      {
        name: 'unscored attempts',
        find: async (now) => {
          const byRun = idsByRun(await forgotten.unscored(now));
          return [...byRun].map(
            ([runId, ids]) =>
              () =>
                scores.ofAttempts(runId, ids),
          );
        },
      },
      {
        name: 'unscored runs',
        find: async (now) => (await forgotten.unscoredRuns(now)).map((id) => () => scores.ofRun(id)),
      },
      {
        name: 'unannounced ends',
        find: async () => (await forgotten.unannouncedRuns()).map((id) => () => ends.publish(id)),
      },
      {
        name: 'slots of lost calls',
        find: async (now) =>
          (await forgotten.hasExpiredSlots(now)) ? [() => forgotten.dropExpiredSlots(now)] : [],
      },
    ];
  }
}

function idsByRun(rows: readonly { id: string; runId: string }[]): Map<string, string[]> {
  const byRun = new Map<string, string[]>();
  for (const { id, runId } of rows) byRun.set(runId, [...(byRun.get(runId) ?? []), id]);
  return byRun;
}
