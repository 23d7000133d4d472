import type { ScorecardReply } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';

export interface ScorecardIdentity {
  workspaceId: string;
  runId: string;
  runAgentId: string;
  evaluationSpecId: string;
  specHash: string;
  evidenceHash: string;
}

export interface NewAttemptScorecard extends ScorecardIdentity {
  attemptId: string;
  caseKey: string;
  repetition: number;
  /** Canonical JSON, or why there is none. */
  result: { scorecard: string } | { failure: { code: string; message: string } };
}

export interface StoredAttemptScorecard {
  caseKey: string;
  repetition: number;
  scorecard: string | null;
}

interface Row {
  revision: number;
  evaluationSpecId: string;
  specHash: string;
  evidenceHash: string;
  scorecard: string | null;
  scoredAt: Date;
  failureCode?: string | null;
  failureMessage?: string | null;
}

const PAGE = 500;

@Injectable()
export class ScorecardsStore {
  constructor(private readonly db: Database) {}

  /** Adds a revision, unless the newest one was made of the same spec and evidence; returns the revision that stands. */
  async addAttempt(next: NewAttemptScorecard): Promise<number> {
    const { attemptId, result, ...columns } = next;
    return await this.db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${attemptId}, 0))`;
      const newest = await tx.attemptScorecard.findFirst({
        where: { attemptId },
        orderBy: { revision: 'desc' },
        select: { revision: true, specHash: true, evidenceHash: true, failureCode: true },
      });
      const isSame = newest?.specHash === next.specHash && newest.evidenceHash === next.evidenceHash;
      if (newest && isSame && newest.failureCode === null) return newest.revision;
      const revision = (newest?.revision ?? 0) + 1;
      const outcome =
        'scorecard' in result
          ? { scorecard: result.scorecard }
          : { failureCode: result.failure.code, failureMessage: result.failure.message };
      await tx.attemptScorecard.create({ data: { attemptId, revision, ...columns, ...outcome } });
      return revision;
    });
  }

  async findAttempt(workspaceId: string, attemptId: string): Promise<ScorecardReply> {
    const where = { workspaceId, attemptId };
    return asReply(await this.db.attemptScorecard.findFirst({ where, orderBy: { revision: 'desc' } }));
  }

  async findRunAgent(workspaceId: string, runAgentId: string): Promise<ScorecardReply> {
    const where = { workspaceId, runAgentId };
    return asReply(await this.db.runAgentScorecard.findFirst({ where, orderBy: { revision: 'desc' } }));
  }

  /** The newest revision of each attempt of a run agent, in pages. */
  async *attemptsOf(runAgentId: string): AsyncGenerator<StoredAttemptScorecard> {
    let after: string | undefined;
    for (;;) {
      const rows = await this.db.attemptScorecard.findMany({
        where: { runAgentId, ...(after !== undefined && { attemptId: { gt: after } }) },
        distinct: ['attemptId'],
        orderBy: [{ attemptId: 'asc' }, { revision: 'desc' }],
        take: PAGE,
        select: { attemptId: true, caseKey: true, repetition: true, scorecard: true },
      });
      yield* rows;
      after = rows.at(-1)?.attemptId;
      if (rows.length < PAGE) return;
    }
  }

  /** Stores the run agents' scorecards and the ranking as one revision of the run; the revision number. */
  async addRanking(ranking: {
    workspaceId: string;
    runId: string;
    items: string;
    agents: (ScorecardIdentity & { scorecard: string })[];
  }): Promise<number> {
    const { workspaceId, runId, items, agents } = ranking;
    return await this.db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${runId}, 0))`;
      const newest = await tx.ranking.findFirst({ where: { runId }, orderBy: { revision: 'desc' } });
      if (newest?.items === items) return newest.revision;
      const revision = (newest?.revision ?? 0) + 1;
      await tx.ranking.create({ data: { runId, revision, workspaceId, items } });
      await tx.runAgentScorecard.createMany({ data: agents.map((agent) => ({ ...agent, revision })) });
      return revision;
    });
  }

  async findRanking(
    workspaceId: string,
    runId: string,
  ): Promise<{ revision: number; items: string } | undefined> {
    const where = { workspaceId, runId };
    return (await this.db.ranking.findFirst({ where, orderBy: { revision: 'desc' } })) ?? undefined;
  }

  async ping(): Promise<void> {
    await this.db.$queryRaw`SELECT 1`;
  }
}

const PENDING: ScorecardReply = {
  state: 'pending',
  revision: null,
  evaluation_spec_id: null,
  spec_hash: null,
  evidence_hash: null,
  scored_at: null,
  scorecard: null,
  failure: null,
};

function asReply(row: Row | null): ScorecardReply {
  if (row === null) return PENDING;
  const { failureCode, failureMessage } = row;
  return {
    state: row.scorecard === null ? 'failed' : 'ready',
    revision: row.revision,
    evaluation_spec_id: row.evaluationSpecId,
    spec_hash: row.specHash,
    evidence_hash: row.evidenceHash,
    scored_at: row.scoredAt.toISOString(),
    scorecard: row.scorecard === null ? null : JSON.parse(row.scorecard),
    failure: failureCode == null ? null : { code: failureCode, message: failureMessage ?? '' },
  };
}
