import { Bus } from '@agentclash/bus';
import { canonicalJson, drawCaseOrder } from '@agentclash/challengepack';
import { type In, type Run, scoringEvents, type scoringJobs } from '@agentclash/contracts';
import type { RatedUnit } from '@agentclash/grading';
import {
  type AgentAggregate,
  AgentFold,
  type Contract,
  failureClusters,
  rankRun,
  sha256Of,
} from '@agentclash/run-scoring';
import { Injectable } from '@nestjs/common';
import { EvidenceSource } from '../evidence/evidence.source.js';
import { FailuresStore } from '../failures/failures.store.js';
import { ScorecardsStore } from '../store/scorecards.store.js';
import { RunsSource } from './runs.source.js';

type RunJob = In<typeof scoringJobs.scoreRun>;
type Agent = RunJob['agents'][number];
type Aggregated = Agent & AgentAggregate;

interface StoppedRun {
  /** The keys of all its cases as drawn. */
  order: string[];
  /** How many of them its race counted for a lane. */
  raced: ReadonlyMap<string, number>;
}

@Injectable()
export class RunScoring {
  constructor(
    private readonly source: EvidenceSource,
    private readonly store: ScorecardsStore,
    private readonly failures: FailuresStore,
    private readonly runs: RunsSource,
    private readonly bus: Bus,
  ) {}

  /** Aggregates the attempts of every agent, ranks the agents and publishes the ranking. */
  async score(run: RunJob, rescoreId: string | null = null): Promise<void> {
    const { workspace_id, run_id, round, evaluation_spec_id } = run;
    const { spec, manifest } = await this.source.contract(workspace_id, run.challenge_pack_version_id);
    const ratings = new Map<string, RatedUnit[]>();
    const agents: Aggregated[] = [];
    const stopped = run.is_stopped ? await this.stoppedRun(run) : undefined;
    for (const agent of run.agents) agents.push(await this.aggregate(run, agent, { spec, ratings, stopped }));
    const isStopped = run.is_stopped === true;
    const { items, judges, variants } = rankRun(spec, agents, { ratings, isStopped });
    const identity = { workspaceId: workspace_id, runId: run_id, evaluationSpecId: evaluation_spec_id };
    const specHash = sha256Of(spec);
    await this.failures.replace(
      identity,
      agents.map(({ run_agent_id: runAgentId, name: agentName, failed }) => ({
        ...{ runAgentId, agentName },
        clusters: failureClusters(manifest.pack.slug, failed),
      })),
    );
    await this.store.addRanking({
      ...identity,
      rescoreId,
      items: canonicalJson(items),
      judges: canonicalJson(judges),
      variants: canonicalJson(variants),
      agents: agents.map(({ run_agent_id: runAgentId, scorecard, evidenceHash }) => ({
        ...{ ...identity, runAgentId, specHash, evidenceHash },
        scorecard: canonicalJson(scorecard),
      })),
    });
    const fact = { workspace_id, run_id, round, ranking: items };
    await this.bus.publish(scoringEvents.runScored, fact, `run-scored:${run_id}:${round}:${sha256Of(items)}`);
  }

  /** Undefined for a run without a seed. */
  private async stoppedRun({ workspace_id, run_id }: RunJob): Promise<StoppedRun | undefined> {
    const { run } = await this.runs.get(workspace_id, run_id);
    if (run.seed === undefined) return undefined;
    const keys = run.case_subset?.case_keys ?? (await this.runs.caseKeys(run));
    return { order: drawCaseOrder(run.seed, keys), raced: racedCases(run) };
  }

  private async aggregate(
    { evaluation_spec_id, repetitions }: RunJob,
    agent: Agent,
    {
      spec,
      ratings,
      stopped,
    }: Pick<Contract, 'spec'> & { ratings: Map<string, RatedUnit[]>; stopped: StoppedRun | undefined },
  ): Promise<Aggregated> {
    const fold = new AgentFold(spec, ratings);
    for await (const attempt of this.store.attemptsOf(agent.run_agent_id, evaluation_spec_id))
      fold.add(attempt);
    const { attempts_planned, run_agent_id } = agent;
    const raced = stopped?.raced.get(run_agent_id);
    return { ...agent, ...fold.end({ attempts_planned, repetitions, order: stopped?.order, raced }) };
  }
}

/** Of each lane, with the cases that miss. */
function racedCases({ race }: Pick<Run, 'race'>): Map<string, number> {
  return new Map(
    race?.lanes.map(({ run_agent_id, cases, population }) => [run_agent_id, cases + race.cases - population]),
  );
}
