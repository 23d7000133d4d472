import { Bus } from '@agentclash/bus';
import { canonicalJson } from '@agentclash/challengepack';
import {
  type In,
  type Out,
  RankingEntry,
  type scorecards,
  scoringEvents,
  type scoringJobs,
} from '@agentclash/contracts';
import {
  type AttemptEvidence,
  aggregateRunAgent,
  type RunAgentScorecard,
  rankRunAgents,
  type Scorecard,
  type ScoredAttempt,
  scoreAttempt,
  scoringHashes,
} from '@agentclash/scoring';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { type Contract, EvidenceSource, type StoredEvidence } from './evidence.source.js';
import { sha256Of } from './hash.js';
import { ScorecardsStore } from './scorecards.store.js';

/** A scorecard, or why there is none. */
type Judgement = { card: Scorecard } | { failure: { code: string; message: string } };

type AttemptJob = In<typeof scoringJobs.scoreAttempt>;
type RunJob = In<typeof scoringJobs.scoreRun>;

@Injectable()
export class ScorecardsService {
  constructor(
    private readonly source: EvidenceSource,
    private readonly store: ScorecardsStore,
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Scores one attempt from its stored evidence and says so. What goes wrong while reading is tried again by the queue;
   * what goes wrong while scoring is our fault: stored and shown as a failure, never as a zero.
   */
  async scoreAttempt(job: AttemptJob): Promise<void> {
    const stored = await this.source.ofAttempt(job.workspace_id, job.attempt_id);
    const contract = await this.source.contract(job.workspace_id, stored.challenge_pack_version_id);
    const evidence = await this.source.assemble(stored, contract);
    const result = await this.judge(contract, evidence, job.attempt_id);
    const hashes = scoringHashes(contract.spec, evidence, inputOf(contract));
    const revision = await this.store.addAttempt({
      attemptId: job.attempt_id,
      workspaceId: job.workspace_id,
      runId: job.run_id,
      runAgentId: job.run_agent_id,
      caseKey: stored.case_key,
      repetition: stored.repetition,
      evaluationSpecId: stored.evaluation_spec_id,
      specHash: hashes.spec_hash,
      evidenceHash: hashes.evidence_hash,
      result: 'card' in result ? { scorecard: canonicalJson(result.card) } : result,
    });
    await this.announce(stored, revision, result);
  }

  /** Aggregates the attempts of every agent, ranks the agents, and says so. */
  async scoreRun(job: RunJob): Promise<void> {
    const agents = await Promise.all(job.agents.map((agent) => this.aggregate(job, agent)));
    const ranked = rankRunAgents(agents.map(({ id, scorecard }) => ({ id, scorecard })));
    const items = ranked.map((entry) => rankingEntry(entry, agents));
    await this.store.addRanking({
      workspaceId: job.workspace_id,
      runId: job.run_id,
      items: canonicalJson(items),
      agents: agents.map(({ identity, scorecard }) => ({ ...identity, scorecard: canonicalJson(scorecard) })),
    });
    const fact = { workspace_id: job.workspace_id, run_id: job.run_id, ranking: items };
    await this.bus.publish(scoringEvents.runScored, fact, `run-scored:${job.run_id}:${sha256Of(items)}`);
  }

  async attempt(ask: In<typeof scorecards.attempt>): Promise<Out<typeof scorecards.attempt>> {
    const reply = await this.store.findAttempt(ask.workspace_id, ask.attempt_id);
    return { attempt_id: ask.attempt_id, ...reply };
  }

  async runAgent(ask: In<typeof scorecards.runAgent>): Promise<Out<typeof scorecards.runAgent>> {
    const reply = await this.store.findRunAgent(ask.workspace_id, ask.run_agent_id);
    return { run_agent_id: ask.run_agent_id, ...reply };
  }

  async ranking({
    workspace_id,
    run_id,
  }: In<typeof scorecards.ranking>): Promise<Out<typeof scorecards.ranking>> {
    const found = await this.store.findRanking(workspace_id, run_id);
    if (found === undefined) return { run_id, state: 'pending', revision: null, items: [] };
    const items = RankingEntry.array().parse(JSON.parse(found.items));
    return { run_id, state: 'ready', revision: found.revision, items };
  }

  private async judge(contract: Contract, evidence: AttemptEvidence, attemptId: string): Promise<Judgement> {
    const onBug = (error: unknown) => this.logger.error({ err: error, attemptId }, 'a validator failed');
    try {
      return { card: await scoreAttempt(contract.spec, evidence, { ...inputOf(contract), onBug }) };
    } catch (error) {
      this.logger.error({ err: error, attemptId }, 'scoring failed');
      return { failure: { code: 'internal', message: 'Scoring this attempt failed on our side.' } };
    }
  }

  private async announce(stored: StoredEvidence, revision: number, result: Judgement): Promise<void> {
    const card = 'card' in result ? result.card : undefined;
    await this.bus.publish(
      scoringEvents.attemptScored,
      {
        workspace_id: stored.workspace_id,
        run_id: stored.run_id,
        run_agent_id: stored.run_agent_id,
        attempt_id: stored.attempt_id,
        revision,
        overall: card?.overall ?? null,
        passed: card?.passed ?? null,
        validity: card?.validity ?? 'invalid',
        failure: 'failure' in result ? result.failure : null,
      },
      `attempt-scored:${stored.attempt_id}:${revision}:${stored.delivery}`,
    );
  }

  private async aggregate(job: RunJob, agent: RunJob['agents'][number]) {
    const attempts: ScoredAttempt[] = [];
    for await (const { caseKey, repetition, scorecard } of this.store.attemptsOf(agent.run_agent_id)) {
      attempts.push({
        case_key: caseKey,
        repetition,
        scorecard: scorecard === null ? null : JSON.parse(scorecard),
      });
    }
    const { spec, manifest } = await this.source.contract(job.workspace_id, job.challenge_pack_version_id);
    const scorecard = aggregateRunAgent(spec, {
      attempts,
      planned_attempts: agent.attempts_planned,
      repetitions: job.repetitions,
    });
    const identity = {
      workspaceId: job.workspace_id,
      runId: job.run_id,
      runAgentId: agent.run_agent_id,
      evaluationSpecId: job.evaluation_spec_id,
      specHash: sha256Of(manifest.evaluation_spec),
      evidenceHash: sha256Of(attempts),
    };
    return { id: agent.run_agent_id, name: agent.name, scorecard, identity };
  }
}

/**
 * What the evidence does not hold. Judges need model providers, which this release does not drive: their say is
 * missing, which is not a zero.
 */
function inputOf({ spec, manifest }: Contract) {
  return {
    judge_records: spec.llm_judges.map(({ key }) => ({
      judge_key: key,
      samples: [],
      unavailable: 'judges_not_available',
    })),
    security: manifest.security && { rules: manifest.security },
  };
}

function rankingEntry(
  { id, rank, reason }: { id: string; rank: number; reason: string },
  agents: { id: string; name: string; scorecard: RunAgentScorecard }[],
): RankingEntry {
  const agent = agents.find((candidate) => candidate.id === id);
  if (agent === undefined) throw new Error(`the ranking names an agent that is not in the run: ${id}`);
  const { cases: _cases, overall, reason: verdict_reason, ...figures } = agent.scorecard;
  return {
    ...figures,
    run_agent_id: id,
    name: agent.name,
    rank,
    reason,
    verdict_reason,
    overall: overall.mean,
    overall_estimate: overall,
  };
}
