import { randomUUID } from 'node:crypto';
import { ContractError } from '@agentclash/contracts';
import { isGraded, OUTCOMES } from '@agentclash/domain';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { ReviewItem as ItemRow, ReviewQueue as Row } from '../generated/client.js';
import { holdRun } from '../removal/held-run.store.js';
import type { Candidate, DrawnPair } from './item-draw.js';

export type StoredQueue = Row;
export type StoredItem = ItemRow;
export type NewQueue = Pick<
  Row,
  'workspaceId' | 'runId' | 'challengePackVersionId' | 'kind' | 'name' | 'seed' | 'createdBy'
>;
/** An item before it is stored; `id` is random. */
export type NewItem = Pick<DrawnPair, 'first'> & { id: string; second?: Candidate; repeats?: string };

interface CandidateQuery {
  runAgentIds: readonly string[];
  seed: number;
  itemsMax: number;
}

interface QueueList {
  workspaceId: string;
  runId?: string | null | undefined;
  /** The last queue of the page before. */
  before?: string | null | undefined;
  take: number;
}

export interface RaterCount {
  queueId: string;
  rater: string;
  reviewed: number;
}

const GRADED = OUTCOMES.filter(isGraded);
/** Queues of one run. */
const QUEUES_MAX = 20;

@Injectable()
export class ReviewQueuesStore {
  constructor(private readonly db: Database) {}

  /** Graded attempts, all of a case and repetition that several agents have, of as many of them as are drawn. */
  async pairCandidates({ runAgentIds, seed, itemsMax }: CandidateQuery): Promise<Candidate[]> {
    return await this.db.$queryRaw<Candidate[]>`
      WITH graded AS (
        SELECT * FROM (
          SELECT DISTINCT ON (attempt_id) attempt_id, run_agent_id, case_key, repetition, attempt_end
            FROM attempt_scorecards WHERE run_agent_id = ANY(${[...runAgentIds]}::uuid[])
           ORDER BY attempt_id, revision DESC) AS newest
         WHERE attempt_end::json -> 'attempt' ->> 'outcome' = ANY(${GRADED}::text[])),
      drawn AS (
        SELECT case_key, repetition, md5(${seed}::text || '/' || repetition || '/' || case_key) AS draw
          FROM graded GROUP BY case_key, repetition HAVING count(*) > 1
         ORDER BY draw, case_key LIMIT ${itemsMax})
      SELECT attempt_id AS "attemptId", run_agent_id AS "runAgentId", case_key AS "caseKey", repetition
        FROM graded JOIN drawn USING (case_key, repetition) ORDER BY draw, case_key, attempt_id`;
  }

  /** Graded attempts, as many as are drawn. */
  async singleCandidates({ runAgentIds, seed, itemsMax }: CandidateQuery): Promise<Candidate[]> {
    return await this.db.$queryRaw<Candidate[]>`
      SELECT attempt_id AS "attemptId", run_agent_id AS "runAgentId", case_key AS "caseKey", repetition FROM (
        SELECT DISTINCT ON (attempt_id) attempt_id, run_agent_id, case_key, repetition, attempt_end
          FROM attempt_scorecards WHERE run_agent_id = ANY(${[...runAgentIds]}::uuid[])
         ORDER BY attempt_id, revision DESC) AS newest
       WHERE attempt_end::json -> 'attempt' ->> 'outcome' = ANY(${GRADED}::text[])
       ORDER BY md5(${seed}::text || '/' || attempt_id), attempt_id LIMIT ${itemsMax}`;
  }

  /** Fails with `not_found` for a deleted run, and with `conflict` when it has too many queues. */
  async create(queue: NewQueue, items: readonly NewItem[]): Promise<StoredQueue> {
    const { runId } = queue;
    return await this.db.$transaction(async (tx) => {
      await holdRun(tx, runId);
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`review queues ${runId}`}, 0))`;
      if ((await tx.reviewQueue.count({ where: { runId } })) >= QUEUES_MAX) {
        throw new ContractError(
          'conflict',
          `The run has ${QUEUES_MAX} review queues, which is the most. Use one of them: agentclash review list`,
        );
      }
      const id = newId();
      const row = await tx.reviewQueue.create({ data: { id, ...queue, items: items.length } });
      await tx.reviewItem.createMany({
        data: items.map(({ id: itemId, first, second, repeats }) => ({
          ...{ id: itemId, queueId: id, runId, caseKey: first.caseKey, repetition: first.repetition },
          ...{ firstAttemptId: first.attemptId, firstAgentId: first.runAgentId },
          ...{ secondAttemptId: second?.attemptId ?? null, secondAgentId: second?.runAgentId ?? null },
          repeats: repeats ?? null,
        })),
      });
      return row;
    });
  }

  /** Undefined also for a queue of another workspace or of a deleted run. */
  async find(workspaceId: string, id: string): Promise<StoredQueue | undefined> {
    const row = await this.db.reviewQueue.findFirst({ where: { workspaceId, id } });
    if (row === null) return undefined;
    const isRemoved = (await this.db.removedRun.count({ where: { runId: row.runId } })) > 0;
    return isRemoved ? undefined : row;
  }

  /** Newest first, without those of deleted runs. */
  async list({ workspaceId, runId = null, before = null, take }: QueueList): Promise<StoredQueue[]> {
    const ids = await this.db.$queryRaw<{ id: string }[]>`
      SELECT id FROM review_queues AS queue
       WHERE workspace_id = ${workspaceId}::uuid
         AND (${runId}::uuid IS NULL OR run_id = ${runId}::uuid) AND (${before}::uuid IS NULL OR id < ${before}::uuid)
         AND NOT EXISTS (SELECT FROM removed_runs AS removed WHERE removed.run_id = queue.run_id)
       ORDER BY id DESC LIMIT ${take}`;
    return await this.db.reviewQueue.findMany({
      where: { id: { in: ids.map(({ id }) => id) } },
      orderBy: { id: 'desc' },
    });
  }

  async items(queueId: string): Promise<StoredItem[]> {
    return await this.db.reviewItem.findMany({ where: { queueId } });
  }

  async findItem(queueId: string, id: string): Promise<StoredItem | undefined> {
    return (await this.db.reviewItem.findFirst({ where: { queueId, id } })) ?? undefined;
  }

  /** How many items each rater has reviewed, by name. */
  async raters(queueIds: readonly string[]): Promise<RaterCount[]> {
    return await this.db.$queryRaw<RaterCount[]>`
      SELECT "queueId", rater, count(*)::int AS reviewed FROM (
        SELECT DISTINCT ON (item_id, rater) queue_id AS "queueId", rater, is_withdrawn
          FROM reviews WHERE queue_id = ANY(${[...queueIds]}::uuid[])
         ORDER BY item_id, rater, sequence DESC) AS newest
       WHERE NOT is_withdrawn GROUP BY "queueId", rater ORDER BY rater`;
  }
}

/** Random, unlike the ids of rows: an order of ids would show the order of agents. */
export function newItemId(): string {
  return randomUUID();
}
