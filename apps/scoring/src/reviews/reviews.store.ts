import { ContractError, REVIEW_RATERS_MAX } from '@agentclash/contracts';
import type { JudgedAttempt } from '@agentclash/grading';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Prisma, Review as Row } from '../generated/client.js';
import { holdRun } from '../removal/held-run.store.js';
import { joinVotes } from '../votes/votes.store.js';

export type StoredReview = Row;
export type NewReview = Omit<Row, 'sequence' | 'reviewedAt' | 'isWithdrawn'>;

/** With the item that it is about. */
export type ListedReview = Row & {
  isNewest: boolean;
  caseKey: string;
  repetition: number;
  firstAttemptId: string;
  firstAgentId: string;
  secondAttemptId: string | null;
  secondAgentId: string | null;
  repeats: string | null;
};

interface ReviewList {
  queueId: string;
  /** Also those that count no longer. */
  history: boolean;
  /** The last sequence number of the page before. */
  after: bigint;
  take: number;
}

/** Reviews of one item by one rater: only a program changes it more often. */
const REVISIONS_MAX = 50;
const JUDGED_AT_ONCE = 200;

@Injectable()
export class ReviewsStore {
  constructor(private readonly db: Database) {}

  /**
   * Adds the review, unless the rater's newest one is equal, and returns the one that counts. Fails with `not_found` for
   * a deleted run, and with `conflict` at the limit of raters or changes.
   */
  async add(runId: string, review: NewReview): Promise<StoredReview> {
    return await this.db.$transaction(async (tx) => {
      await this.enter(tx, runId, review);
      const newest = await findNewest(tx, review);
      if (newest !== null && !newest.isWithdrawn && isEqual(newest, review)) return newest;
      await checkLimits(tx, review);
      return await tx.review.create({ data: review });
    });
  }

  /** The rater's review of the item counts no longer. */
  async withdraw(runId: string, of: Pick<NewReview, 'queueId' | 'itemId' | 'rater'>): Promise<void> {
    await this.db.$transaction(async (tx) => {
      await this.enter(tx, runId, of);
      const newest = await findNewest(tx, of);
      if (newest === null || newest.isWithdrawn) return;
      const { sequence: _sequence, reviewedAt: _at, ...review } = newest;
      await tx.review.create({ data: { ...review, isWithdrawn: true } });
    });
  }

  private async enter(
    tx: Prisma.TransactionClient,
    runId: string,
    { queueId }: { queueId: string },
  ): Promise<void> {
    await holdRun(tx, runId);
    await joinVotes(tx, runId);
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`reviews of ${queueId}`}, 0))`;
  }

  /** The reviews of a rater that count, by item. */
  async ofRater(queueId: string, rater: string): Promise<Map<string, StoredReview>> {
    const rows = await this.db.review.findMany({ where: { queueId, rater }, orderBy: { sequence: 'asc' } });
    const newest = new Map(rows.map((row) => [row.itemId, row]));
    return new Map([...newest].filter(([, { isWithdrawn }]) => !isWithdrawn));
  }

  /** Oldest first. */
  async list({ queueId, history, after, take }: ReviewList): Promise<ListedReview[]> {
    return await this.db.$queryRaw<ListedReview[]>`
      SELECT * FROM (
        SELECT review.sequence, review.item_id AS "itemId", review.queue_id AS "queueId", review.rater, review.choice,
               review.first_shown AS "firstShown", review.label, review.scores, review.note,
               review.first_delivery AS "firstDelivery", review.second_delivery AS "secondDelivery",
               review.is_withdrawn AS "isWithdrawn", review.reviewed_at AS "reviewedAt",
               row_number() OVER (PARTITION BY review.item_id, review.rater ORDER BY review.sequence DESC) = 1
                 AS "isNewest",
               item.case_key AS "caseKey", item.repetition, item.first_attempt_id AS "firstAttemptId",
               item.first_agent_id AS "firstAgentId", item.second_attempt_id AS "secondAttemptId",
               item.second_agent_id AS "secondAgentId", item.repeats
          FROM reviews AS review JOIN review_items AS item ON item.id = review.item_id
         WHERE review.queue_id = ${queueId}::uuid) AS numbered
       WHERE sequence > ${after}::bigint AND (${history} OR ("isNewest" AND NOT "isWithdrawn"))
       ORDER BY sequence LIMIT ${take}`;
  }

  /** The results of judges in the newest scorecard of each attempt. */
  async judged(attemptIds: readonly string[]): Promise<Map<string, JudgedAttempt[]>> {
    const judged = new Map<string, JudgedAttempt[]>();
    for (let start = 0; start < attemptIds.length; start += JUDGED_AT_ONCE) {
      const ids = attemptIds.slice(start, start + JUDGED_AT_ONCE);
      // PostgreSQL reads no U+0000 and no half of a surrogate pair, which replies may hold: nothing of them is needed.
      const rows = await this.db.$queryRaw<{ attemptId: string; judges: JudgedAttempt[] | null }[]>`
        SELECT attempt_id AS "attemptId", (
          SELECT json_agg(json_build_object('key', judge -> 'key', 'score', judge -> 'score', 'samples', (
                   SELECT coalesce(json_agg(json_build_object('model', sample -> 'model', 'index', sample -> 'index',
                                                              'ranking', sample -> 'ranking')), '[]'::json)
                     FROM json_array_elements(judge -> 'samples') AS sample WHERE judge ->> 'mode' = 'n_wise')))
            FROM json_array_elements(scorecard::json -> 'judges') AS judge) AS judges
          FROM (SELECT DISTINCT ON (attempt_id) attempt_id,
                       replace(replace(scorecard, '\\u0000', '\\ufffd'), '\\ud', '\\uf') AS scorecard
                  FROM attempt_scorecards
                 WHERE attempt_id = ANY(${ids}::uuid[]) ORDER BY attempt_id, revision DESC) AS newest`;
      for (const { attemptId, judges } of rows) judged.set(attemptId, judges ?? []);
    }
    return judged;
  }
}

async function findNewest(
  tx: Prisma.TransactionClient,
  { itemId, rater }: Pick<NewReview, 'itemId' | 'rater'>,
): Promise<Row | null> {
  return await tx.review.findFirst({ where: { itemId, rater }, orderBy: { sequence: 'desc' } });
}

async function checkLimits(
  tx: Prisma.TransactionClient,
  { queueId, itemId, rater }: NewReview,
): Promise<void> {
  if ((await tx.review.count({ where: { itemId, rater } })) >= REVISIONS_MAX) {
    throw new ContractError(
      'conflict',
      `The review of this item was changed ${REVISIONS_MAX} times, which is the most.`,
    );
  }
  const raters = await tx.review.findMany({
    where: { queueId },
    distinct: ['rater'],
    select: { rater: true },
  });
  if (raters.length < REVIEW_RATERS_MAX || raters.some((each) => each.rater === rater)) return;
  throw new ContractError(
    'conflict',
    `${REVIEW_RATERS_MAX} people have reviewed in this queue, which is the most. Create another one: agentclash review create`,
  );
}

function isEqual(before: StoredReview, next: NewReview): boolean {
  const KEYS = [
    'choice',
    'label',
    'scores',
    'note',
    'firstShown',
    'firstDelivery',
    'secondDelivery',
  ] as const;
  return KEYS.every((key) => before[key] === next[key]);
}
