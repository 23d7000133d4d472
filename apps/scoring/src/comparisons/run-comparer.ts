import { type ComparisonQuery, Uuid } from '@agentclash/contracts';
import { type ComparedRun, type ComparedRuns, compareRuns } from '@agentclash/run-scoring';
import { Injectable } from '@nestjs/common';
import { BaselineResolver, scopeOf } from '../baselines/baseline-resolver.js';
import { RemovedRuns } from '../removal/held-run.store.js';
import { refuseDraft } from '../runs/draft-runs.js';
import { RunsSource } from '../runs/runs.source.js';
import { ScorecardsStore } from '../store/scorecards.store.js';

/** A run, and the lane that a baseline names. */
interface Side {
  compared: ComparedRun;
  agent?: string | undefined;
}

/** Compares the lanes of two stored runs. */
@Injectable()
export class RunComparer {
  constructor(
    private readonly runs: RunsSource,
    private readonly scorecards: ScorecardsStore,
    private readonly baselines: BaselineResolver,
    private readonly removed: RemovedRuns,
  ) {}

  /** Over the newest scorecards of both sides. */
  async compare(workspaceId: string, query: ComparisonQuery): Promise<ComparedRuns> {
    const [left, right] = await this.sides(workspaceId, query);
    for (const { compared } of [left, right]) refuseDraft(compared.run);
    const { agents, detect } = query;
    const compared = await compareRuns(
      { baseline: left.compared, candidate: right.compared },
      {
        ...{ agents, detect },
        baseline_agent: query.baseline_agent ?? (agents === undefined ? left.agent : undefined),
        candidate_agent: query.candidate_agent ?? (agents === undefined ? right.agent : undefined),
      },
      (runAgentId) => this.scorecards.findRunAgent(workspaceId, runAgentId),
    );
    // A run is released before its scorecards are deleted: reads of an unreleased run were complete.
    await this.removed.check([left.compared.run.id, right.compared.run.id]);
    return compared;
  }

  /** Runs by their ids, or the runs and lanes of baselines of the other run's pack and input set. */
  private async sides(
    workspaceId: string,
    { baseline, candidate }: Pick<ComparisonQuery, 'baseline' | 'candidate'>,
  ): Promise<[Side, Side]> {
    const [left, right] = await Promise.all([
      this.runOf(workspaceId, baseline),
      this.runOf(workspaceId, candidate),
    ]);
    return [
      left ?? (await this.baselineOf(workspaceId, baseline, right)),
      right ?? (await this.baselineOf(workspaceId, candidate, left)),
    ];
  }

  private async runOf(workspaceId: string, reference: string): Promise<Side | undefined> {
    if (!Uuid.safeParse(reference).success) return undefined;
    return { compared: await this.runs.get(workspaceId, reference) };
  }

  private async baselineOf(workspaceId: string, name: string, other: Side | undefined): Promise<Side> {
    const scope = other === undefined ? {} : scopeOf(other.compared.run);
    const { run_id, run_agent_id } = await this.baselines.resolve({ workspaceId, name, ...scope });
    return { compared: await this.runs.get(workspaceId, run_id), agent: run_agent_id ?? undefined };
  }
}
