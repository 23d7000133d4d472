import type { In, Progress, scoringJobs } from '@agentclash/contracts';
import { isStoppedEarly } from '@agentclash/run-scoring';
import { Injectable } from '@nestjs/common';
import { AttemptScoring, type RescoreOf } from '../attempts/attempt-scoring.service.js';
import { RunScoring } from '../runs/run-scoring.service.js';
import { RunsSource } from '../runs/runs.source.js';
import { ScorecardsStore } from '../store/scorecards.store.js';
import { RescoresStore } from './rescores.store.js';

/** Attempts of one rescoring that are graded at the same time. */
const AT_ONCE = 32;

/** Jobs that score a run again from its stored evidence. */
@Injectable()
export class Rescoring {
  constructor(
    private readonly store: RescoresStore,
    private readonly scorecards: ScorecardsStore,
    private readonly attempts: AttemptScoring,
    private readonly runScoring: RunScoring,
    private readonly runs: RunsSource,
  ) {}

  /** Scores the remaining attempts, then aggregates. A repeat continues where the last one ended. */
  async work({ workspace_id, run_id, rescore_id }: In<typeof scoringJobs.rescoreRun>): Promise<void> {
    const rescore = await this.store.find(rescore_id);
    if (rescore === undefined || rescore.state !== 'pending') return;
    const of = {
      id: rescore.id,
      specVersionId: rescore.specVersionId,
      evaluationSpecId: rescore.evaluationSpecId,
      reviewsThrough: rescore.reviewsThrough,
    };
    await this.scoreAttempts({ workspace_id, run_id }, of);
    const { run, agents } = await this.runs.get(workspace_id, run_id);
    const job = {
      ...{ workspace_id, run_id, repetitions: run.repetitions, round: 0 },
      is_stopped: agents.some((agent) => isStoppedEarly(run, agent)),
      challenge_pack_version_id: rescore.specVersionId,
      evaluation_spec_id: rescore.evaluationSpecId,
      agents: agents.map(({ id, name, variant, progress }) => ({
        ...{ run_agent_id: id, name, attempts_planned: neededOf(progress), ...(variant && { variant }) },
      })),
    };
    await this.runScoring.score(job, rescore.id);
    await this.store.finish(rescore.id);
  }

  private async scoreAttempts(
    of: { workspace_id: string; run_id: string },
    rescore: RescoreOf,
  ): Promise<void> {
    const { workspace_id } = of;
    let scored = 0;
    let cursor: string | undefined;
    do {
      const page = await this.runs.finishedAttempts(of, cursor);
      const ids = page.items.map(({ id }) => id);
      const done = await this.scorecards.rescored(rescore.id, ids);
      const left = ids.filter((id) => !done.has(id));
      scored += done.size;
      while (left.length > 0) {
        const now = left.splice(0, AT_ONCE);
        await this.attempts.scoreAll({ workspace_id, attempt_ids: now }, rescore);
        scored += now.length;
        await this.store.touch(rescore.id, scored);
      }
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }
}

/** Attempts that are evidence or miss: neither skipped nor cancelled for a verdict. */
function neededOf({ total, skipped = 0, by_outcome }: Progress): number {
  return total - skipped - (by_outcome.cancelled ?? 0);
}
