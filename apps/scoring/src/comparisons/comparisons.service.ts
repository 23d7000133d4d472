import {
  type ComparisonQuery,
  ContractError,
  type comparisons,
  type In,
  RunComparison,
  type StoredComparison,
  Uuid,
} from '@agentclash/contracts';
import {
  type Comparison,
  type ComparisonSide,
  compareRunAgents,
  type RunAgentScorecard,
} from '@agentclash/scoring';
import { Injectable } from '@nestjs/common';
import { BaselinesStore } from '../baselines/baselines.store.js';
import { ScorecardsStore } from '../scorecards/scorecards.store.js';
import { type ComparedRun, RunsSource } from './compared-run.js';
import { ComparisonsStore } from './comparisons.store.js';
import { chooseLanes, type LanePair } from './lanes.js';

/** A comparison with what it was made of. */
export interface ComparedRuns {
  content: RunComparison;
  sides: { baseline: ComparedRun; candidate: ComparedRun };
  lanes: readonly LanePair[];
  /** Of each pair of lanes, in the same order. */
  compared: readonly Comparison[];
  cards: readonly { baseline: ComparisonSide | null; candidate: ComparisonSide | null }[];
}

interface Side {
  runId: string;
  agent?: string | undefined;
}

@Injectable()
export class ComparisonsService {
  constructor(
    private readonly runs: RunsSource,
    private readonly scorecards: ScorecardsStore,
    private readonly baselines: BaselinesStore,
    private readonly store: ComparisonsStore,
  ) {}

  /** Over the newest scorecards of both sides. */
  async compare(workspaceId: string, query: ComparisonQuery): Promise<ComparedRuns> {
    const [left, right] = await Promise.all([
      this.side(workspaceId, query.baseline),
      this.side(workspaceId, query.candidate),
    ]);
    const [baseline, candidate] = await Promise.all([
      this.runs.get(workspaceId, left.runId),
      this.runs.get(workspaceId, right.runId),
    ]);
    const sides = { baseline, candidate };
    const lanes = chooseLanes(sides, {
      agents: query.agents,
      baseline_agent: query.baseline_agent ?? (query.agents === undefined ? left.agent : undefined),
      candidate_agent: query.candidate_agent ?? (query.agents === undefined ? right.agent : undefined),
    });
    const cards = await Promise.all(
      lanes.map(async (pair) => ({
        baseline: await this.lane(workspaceId, baseline, pair.baseline?.id),
        candidate: await this.lane(workspaceId, candidate, pair.candidate?.id),
      })),
    );
    const { detect } = query;
    const compared = compareRunAgents(cards, detect === undefined ? {} : { detect });
    const content = RunComparison.parse({
      baseline: describe(baseline),
      candidate: describe(candidate),
      comparisons: compared,
    });
    return { content, sides, lanes, compared, cards };
  }

  async get({ workspace_id, comparison_id }: In<typeof comparisons.get>): Promise<StoredComparison> {
    const found = await this.store.find(workspace_id, comparison_id);
    if (found === undefined) throw new ContractError('not_found', `There is no comparison ${comparison_id}.`);
    return found;
  }

  /** A run by its id, or the run and lane that a baseline stands for. */
  private async side(workspaceId: string, reference: string): Promise<Side> {
    if (Uuid.safeParse(reference).success) return { runId: reference };
    const baseline = await this.baselines.find(workspaceId, reference);
    if (baseline === undefined) {
      throw new ContractError(
        'not_found',
        `There is no baseline "${reference}". Set one: agentclash baseline set <run> --name ${reference}`,
      );
    }
    return { runId: baseline.run_id, agent: baseline.run_agent_id ?? undefined };
  }

  private async lane(
    workspaceId: string,
    { run }: ComparedRun,
    runAgentId: string | undefined,
  ): Promise<ComparisonSide | null> {
    if (runAgentId === undefined) return null;
    const reply = await this.scorecards.findRunAgent(workspaceId, runAgentId);
    return {
      run_agent_id: runAgentId,
      challenge_pack_version_id: run.challenge_pack_version_id,
      challenge_input_set_id: run.input_set.id,
      evaluation_spec_id: reply.evaluation_spec_id ?? run.evaluation_spec_id,
      // Stored by this service as what the library made.
      scorecard: reply.scorecard as RunAgentScorecard | null,
    };
  }
}

function describe({ run, agents }: ComparedRun): RunComparison['baseline'] {
  return {
    run_id: run.id,
    name: run.name,
    selective_retry: run.selective_retry ?? false,
    agents: agents.map(({ id, name }) => ({ run_agent_id: id, name })),
  };
}
