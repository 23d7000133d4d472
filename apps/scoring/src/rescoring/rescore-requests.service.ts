import { Bus } from '@agentclash/bus';
import {
  ContractError,
  type In,
  packs,
  type Rescore,
  type Run,
  type scorecards,
  scoringJobs,
} from '@agentclash/contracts';
import type { Contract } from '@agentclash/run-scoring';
import { Injectable } from '@nestjs/common';
import { EvidenceSource } from '../evidence/evidence.source.js';
import { RunsSource } from '../runs/runs.source.js';
import { ScorecardsStore } from '../store/scorecards.store.js';
import { asRescore, RescoresStore, type StoredRescore } from './rescores.store.js';

/** Requests of users to score a run again, and their jobs. */
@Injectable()
export class RescoreRequests {
  constructor(
    private readonly store: RescoresStore,
    private readonly runs: RunsSource,
    private readonly bus: Bus,
    private readonly scorecards: ScorecardsStore,
    private readonly source: EvidenceSource,
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

  /** The spec by which the run is ranked now; the one that it was started with before its first ranking. */
  async currentSpec(
    workspace_id: string,
    run_id: string,
  ): Promise<Pick<Contract, 'spec'> & { evaluation_spec_id: string }> {
    const [{ run }, ranking] = await Promise.all([
      this.runs.get(workspace_id, run_id),
      this.scorecards.findRanking(workspace_id, run_id),
    ]);
    const { evaluationSpecId, specVersionId } = await this.specOf(
      run,
      ranking?.evaluationSpecId ?? undefined,
    );
    const { spec } = await this.source.contract(workspace_id, specVersionId);
    return { spec, evaluation_spec_id: evaluationSpecId };
  }

  /** Enqueues the job; a duplicate within two minutes is dropped. */
  async enqueue({ id, workspaceId, runId, touchedAt }: StoredRescore): Promise<void> {
    const input = { workspace_id: workspaceId, run_id: runId, rescore_id: id };
    await this.bus.send(scoringJobs.rescoreRun, input, `rescore:${id}:${touchedAt.getTime()}`);
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
