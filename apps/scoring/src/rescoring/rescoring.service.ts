import { Bus } from '@agentclash/bus';
import {
  ContractError,
  type In,
  packs,
  type Rescore,
  type Run,
  runs,
  type scorecards,
  scoringJobs,
} from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { AttemptScoring, type RescoreOf } from '../attempts/attempt-scoring.service.js';
import { RunScoring } from '../runs/run-scoring.service.js';
import { RunsSource } from '../runs/runs.source.js';
import { ScorecardsStore } from '../store/scorecards.store.js';
import { asRescore, RescoresStore, type StoredRescore } from './rescores.store.js';

const PAGE = 200;
/** Attempts of one rescoring that are graded at the same time. */
const AT_ONCE = 32;

@Injectable()
export class Rescoring {
  constructor(
    private readonly store: RescoresStore,
    private readonly scorecards: ScorecardsStore,
    private readonly attempts: AttemptScoring,
    private readonly runScoring: RunScoring,
    private readonly runs: RunsSource,
    private readonly bus: Bus,
  ) {}

  /** Starts to score a run again from its stored evidence. */
  async begin({
    workspace_id,
    run_id,
    evaluation_spec_id,
    actor,
  }: In<typeof scorecards.rescore>): Promise<Rescore> {
    const { run } = await this.runs.get(workspace_id, run_id);
    if (run.finished_at === null) {
      throw new ContractError(
        'conflict',
        `The run ${run_id} has not ended: it can be scored again when it has.`,
      );
    }
    const created = await this.store.create({
      workspaceId: workspace_id,
      runId: run_id,
      ...(await this.specOf(run, evaluation_spec_id)),
      attempts: run.progress.total,
      createdBy: actor,
    });
    if (created === undefined) {
      throw new ContractError('conflict', `The run ${run_id} is being scored again: wait until it is done.`);
    }
    await this.enqueue(created);
    return asRescore(created);
  }

  /** Enqueues the job; a duplicate within two minutes is dropped. */
  async enqueue({ id, workspaceId, runId, touchedAt }: StoredRescore): Promise<void> {
    const input = { workspace_id: workspaceId, run_id: runId, rescore_id: id };
    await this.bus.send(scoringJobs.rescoreRun, input, `rescore:${id}:${touchedAt.getTime()}`);
  }

  /** Scores the remaining attempts, then aggregates. A repeat continues where the last one ended. */
  async work({ workspace_id, run_id, rescore_id }: In<typeof scoringJobs.rescoreRun>): Promise<void> {
    const rescore = await this.store.find(rescore_id);
    if (rescore === undefined || rescore.state !== 'pending') return;
    const of = {
      id: rescore.id,
      specVersionId: rescore.specVersionId,
      evaluationSpecId: rescore.evaluationSpecId,
    };
    await this.scoreAttempts({ workspace_id, run_id }, of);
    const { run, agents } = await this.runs.get(workspace_id, run_id);
    const job = {
      ...{ workspace_id, run_id, repetitions: run.repetitions, round: 0 },
      challenge_pack_version_id: rescore.specVersionId,
      evaluation_spec_id: rescore.evaluationSpecId,
      agents: agents.map(({ id, name, variant, progress }) => ({
        ...{ run_agent_id: id, name, attempts_planned: progress.total, ...(variant && { variant }) },
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
      const page = await this.bus.call(runs.attempts, { ...of, state: 'finished', limit: PAGE, cursor });
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

  /** The named spec must be of a version of the run's own pack: no other spec fits these cases. */
  private async specOf(run: Run, evaluationSpecId: string | undefined) {
    const own = { evaluationSpecId: run.evaluation_spec_id, specVersionId: run.challenge_pack_version_id };
    if (evaluationSpecId === undefined || evaluationSpecId === own.evaluationSpecId) return own;
    const { versions } = await this.bus.call(packs.get, {
      workspace_id: run.workspace_id,
      pack: run.pack.slug,
    });
    const found = versions.find((version) => version.evaluation_spec_id === evaluationSpecId);
    if (found !== undefined) return { evaluationSpecId, specVersionId: found.id };
    throw new ContractError(
      'not_found',
      `No version of ${run.pack.slug} has the evaluation spec ${evaluationSpecId}. See: agentclash challenge-pack show ${run.pack.slug}`,
    );
  }
}
