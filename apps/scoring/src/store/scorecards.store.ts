import type { AttemptScorecard, ScorecardReply } from '@agentclash/contracts';
import type { StoredAttemptScorecard } from '@agentclash/run-scoring';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import { Prisma } from '../generated/client.js';
import { holdRun } from '../removal/held-run.store.js';

interface ScorecardIdentity {
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
  /** Canonical JSON of how the attempt ended. */
  attemptEnd: string;
  /** Set while its run is scored again. */
  rescoreId: string | null;
  /** Canonical JSON, or the reason for its absence. */
  result: { scorecard: string } | { failure: { code: string; message: string } };
}

export interface NewRanking {
  workspaceId: string;
  runId: string;
  evaluationSpecId: string;
  rescoreId: string | null;
  /** Canonical JSON. */
  items: string;
  judges: string;
  variants: string;
  agents: (ScorecardIdentity & { scorecard: string })[];
}

export interface StoredRanking {
  revision: number;
  evaluationSpecId: string | null;
  items: string;
  judges: string;
  variants: string;
}

interface StoredRow {
  revision: number;
  evaluationSpecId: string;
  specHash: string;
  evidenceHash: string;
  scorecard: string | null;
  scoredAt: Date;
  failureCode?: string | null;
  failureMessage?: string | null;
}

/** Decides whether an attempt's newest scorecard is kept. */
type Newest = Pick<NewAttemptScorecard, 'attemptId' | 'specHash' | 'evidenceHash' | 'rescoreId'> & {
  revision: number;
  failureCode: string | null;
};

type Row = ReturnType<typeof rowOf>;

/** A quarter of what one message may hold, so that the largest scorecard fits beside it. */
const PAGE_BYTES_MAX = 2_097_152;
const PAGE = 500;
/** Sorts before every attempt. */
const NO_ATTEMPT = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class ScorecardsStore {
  constructor(private readonly db: Database) {}

  /**
   * Adds a revision of each and returns their numbers, in order. An existing scorecard is kept instead: of the same
   * rescore, or without one, of the same spec and evidence. Fails with `not_found` for a deleted run.
   */
  async addAttempts(cards: readonly NewAttemptScorecard[]): Promise<number[]> {
    const ids = [...new Set(cards.map(({ attemptId }) => attemptId))];
    return await this.db.$transaction(async (tx) => {
      for (const runId of new Set(cards.map((card) => card.runId))) await holdRun(tx, runId);
      // Locked in one order: concurrent writers of the same attempts cannot deadlock.
      await tx.$executeRaw`
        SELECT pg_advisory_xact_lock(key)
          FROM (SELECT hashtextextended(id, 0) AS key FROM unnest(${ids}::text[]) AS id ORDER BY 1) AS keys`;
      const rows = await tx.$queryRaw<Newest[]>`
        SELECT DISTINCT ON (attempt_id) attempt_id AS "attemptId", revision, spec_hash AS "specHash",
               evidence_hash AS "evidenceHash", failure_code AS "failureCode", rescore_id AS "rescoreId"
          FROM attempt_scorecards WHERE attempt_id = ANY(${ids}::uuid[])
         ORDER BY attempt_id, revision DESC`;
      const newest = new Map(rows.map((row) => [row.attemptId, row]));
      const data: Row[] = [];
      const revisions = cards.map((card) => {
        const before = newest.get(card.attemptId);
        if (before && isCurrent(before, card)) return before.revision;
        const row = rowOf(card, (before?.revision ?? 0) + 1);
        newest.set(card.attemptId, row);
        data.push(row);
        return row.revision;
      });
      if (data.length > 0) await tx.$executeRaw(insertOf(data));
      return revisions;
    });
  }

  async findAttempt(workspaceId: string, attemptId: string): Promise<ScorecardReply> {
    const where = { workspaceId, attemptId };
    const row = await this.db.attemptScorecard.findFirst({ where, orderBy: { revision: 'desc' } });
    return asReply(await this.kept(row));
  }

  /**
   * The newest scorecard of each attempt, in the order of the ids: as many as fit in a page of bytes, and at least one.
   * The sizes are read without the texts.
   */
  async findAttempts(workspaceId: string, attemptIds: readonly string[]): Promise<AttemptScorecard[]> {
    const rows = await this.db.$queryRaw<(StoredRow & { attemptId: string; isFound: boolean })[]>`
      WITH newest AS (
        SELECT wanted.id AS attempt_id, wanted.position, card.*
          FROM unnest(${[...attemptIds]}::uuid[]) WITH ORDINALITY AS wanted(id, position)
          LEFT JOIN LATERAL (
            SELECT revision, evaluation_spec_id, spec_hash, evidence_hash, scorecard, scored_at, failure_code,
                   failure_message
              FROM attempt_scorecards
             WHERE attempt_id = wanted.id AND workspace_id = ${workspaceId}::uuid
             ORDER BY revision DESC LIMIT 1) AS card ON TRUE),
      measured AS (
        SELECT newest.*, sum(coalesce(octet_length(scorecard), 0)) OVER (ORDER BY position) AS bytes FROM newest)
      SELECT attempt_id AS "attemptId", revision IS NOT NULL AS "isFound", revision,
             evaluation_spec_id AS "evaluationSpecId", spec_hash AS "specHash", evidence_hash AS "evidenceHash",
             scorecard, scored_at AS "scoredAt", failure_code AS "failureCode", failure_message AS "failureMessage"
        FROM measured WHERE position = 1 OR bytes <= ${PAGE_BYTES_MAX} ORDER BY position`;
    return rows.map(({ attemptId, isFound, ...row }) => ({
      attempt_id: attemptId,
      ...asReply(isFound ? row : null),
    }));
  }

  async findRunAgent(workspaceId: string, runAgentId: string): Promise<ScorecardReply> {
    const where = { workspaceId, runAgentId };
    const row = await this.db.runAgentScorecard.findFirst({ where, orderBy: { revision: 'desc' } });
    return asReply(await this.kept(row));
  }

  /** Rows of a deleted run are not read, also while they are still stored. */
  private async kept<Stored extends { runId: string }>(row: Stored | null): Promise<Stored | null> {
    if (row === null) return null;
    return (await this.db.removedRun.count({ where: { runId: row.runId } })) === 0 ? row : null;
  }

  /** The attempts among these that the rescoring is done with. */
  async rescored(rescoreId: string, attemptIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.db.attemptScorecard.findMany({
      where: { rescoreId, attemptId: { in: [...attemptIds] } },
      select: { attemptId: true },
    });
    return new Set(rows.map(({ attemptId }) => attemptId));
  }

  /** The newest revision under the spec of each attempt of a run agent, in pages. */
  async *attemptsOf(runAgentId: string, evaluationSpecId: string): AsyncGenerator<StoredAttemptScorecard> {
    let after = NO_ATTEMPT;
    for (;;) {
      const rows = await this.db.$queryRaw<StoredAttemptScorecard[]>`
        SELECT DISTINCT ON (attempt_id) attempt_id AS "attemptId", case_key AS "caseKey", repetition,
               spec_hash AS "specHash", evidence_hash AS "evidenceHash", attempt_end AS "attemptEnd", scorecard
          FROM attempt_scorecards
         WHERE run_agent_id = ${runAgentId}::uuid AND evaluation_spec_id = ${evaluationSpecId}::uuid
           AND attempt_id > ${after}::uuid
         ORDER BY attempt_id, revision DESC
         LIMIT ${PAGE}`;
      yield* rows;
      after = rows.at(-1)?.attemptId ?? after;
      if (rows.length < PAGE) return;
    }
  }

  /** Stores the run agents' scorecards and the ranking as one revision of the run, unless the newest is equal. */
  async addRanking({ agents, ...ranking }: NewRanking): Promise<number> {
    const { runId, rescoreId, items, judges, variants } = ranking;
    return await this.db.$transaction(async (tx) => {
      await holdRun(tx, runId);
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${runId}, 0))`;
      const newest = await tx.ranking.findFirst({ where: { runId }, orderBy: { revision: 'desc' } });
      const isSame = newest?.items === items && newest.judges === judges && newest.variants === variants;
      const isStored = rescoreId === null ? isSame : newest?.rescoreId === rescoreId;
      if (newest && isStored) return newest.revision;
      const revision = (newest?.revision ?? 0) + 1;
      await tx.ranking.create({ data: { ...ranking, revision } });
      await tx.runAgentScorecard.createMany({ data: agents.map((agent) => ({ ...agent, revision })) });
      return revision;
    });
  }

  async findRanking(workspaceId: string, runId: string): Promise<StoredRanking | undefined> {
    const where = { workspaceId, runId };
    return (await this.db.ranking.findFirst({ where, orderBy: { revision: 'desc' } })) ?? undefined;
  }
}

function isCurrent(newest: Newest, next: NewAttemptScorecard): boolean {
  if (next.rescoreId !== null) return newest.rescoreId === next.rescoreId;
  const isSame = newest.specHash === next.specHash && newest.evidenceHash === next.evidenceHash;
  return isSame && newest.failureCode === null;
}

function rowOf({ result, ...columns }: NewAttemptScorecard, revision: number) {
  const outcome =
    'scorecard' in result
      ? { scorecard: result.scorecard, failureCode: null, failureMessage: null }
      : { scorecard: null, failureCode: result.failure.code, failureMessage: result.failure.message };
  return { ...columns, revision, ...outcome };
}

/** Many rows as one parameter: binding thousands of rows a second one by one is slow. */
function insertOf(rows: readonly Row[]): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO attempt_scorecards (
      attempt_id, revision, workspace_id, run_id, run_agent_id, case_key, repetition, evaluation_spec_id, spec_hash,
      evidence_hash, scorecard, failure_code, failure_message, attempt_end, rescore_id)
    SELECT "attemptId", revision, "workspaceId", "runId", "runAgentId", "caseKey", repetition, "evaluationSpecId",
           "specHash", "evidenceHash", scorecard, "failureCode", "failureMessage", "attemptEnd", "rescoreId"
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS c(
        "attemptId" uuid, revision int, "workspaceId" uuid, "runId" uuid, "runAgentId" uuid, "caseKey" text,
        repetition int, "evaluationSpecId" uuid, "specHash" text, "evidenceHash" text, scorecard text,
        "failureCode" text, "failureMessage" text, "attemptEnd" text, "rescoreId" uuid)`;
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

function asReply(row: StoredRow | null): ScorecardReply {
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
