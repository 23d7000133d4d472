import type { Votes } from '@agentclash/grading';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Prisma } from '../generated/client.js';

type Transaction = Prisma.TransactionClient;

interface VotedAttempt {
  attempt_id: string;
  /** Votes on another delivery were given to another output. */
  delivery: number;
}

/** People's votes on pairs of outputs, as evidence of attempts. */
@Injectable()
export class VotesStore {
  constructor(private readonly db: Database) {}

  /**
   * Wins and votes of an attempt; a tie is half a win. Of each rater the newest vote on each pair counts, whatever queue
   * it is from. `through`: later reviews are left out.
   */
  async of({ attempt_id, delivery }: VotedAttempt, through: bigint | null): Promise<Votes> {
    const [row] = await this.db.$queryRaw<{ wins: number; votes: number }[]>`
      WITH newest AS (
        SELECT DISTINCT ON (item.id, review.rater)
               review.*, item.first_attempt_id AS first, item.second_attempt_id AS second
          FROM review_items AS item JOIN reviews AS review ON review.item_id = item.id
         WHERE (item.first_attempt_id = ${attempt_id}::uuid OR item.second_attempt_id = ${attempt_id}::uuid)
           AND item.second_attempt_id IS NOT NULL AND item.repeats IS NULL
           AND (${through}::bigint IS NULL OR review.sequence <= ${through}::bigint)
         ORDER BY item.id, review.rater, review.sequence DESC),
      counted AS (
        SELECT DISTINCT ON (rater, first, second) *
          FROM newest WHERE NOT is_withdrawn
         ORDER BY rater, first, second, sequence DESC)
      SELECT count(*)::int AS votes,
             coalesce(sum(CASE choice WHEN 'tie' THEN 0.5
                                      WHEN 'first' THEN (first = ${attempt_id}::uuid)::int
                                      ELSE (second = ${attempt_id}::uuid)::int END), 0)::float8 AS wins
        FROM counted
       WHERE CASE WHEN first = ${attempt_id}::uuid THEN first_delivery ELSE second_delivery END = ${delivery}`;
    return { wins: row?.wins ?? 0, votes: row?.votes ?? 0 };
  }
}

/** Orders a review with rescores of its run: one that begins later has read it. */
export async function joinVotes(tx: Transaction, runId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${keyOf(runId)}, 0))`;
}

/** The sequence number of the run's newest review, when all that are being written are stored; 0 without one. */
export async function newestReview(tx: Transaction, runId: string): Promise<bigint> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${keyOf(runId)}, 0))`;
  // A separate statement: it sees what was committed while the lock was awaited.
  const { _max } = await tx.review.aggregate({ where: { item: { runId } }, _max: { sequence: true } });
  return _max.sequence ?? 0n;
}

function keyOf(runId: string): string {
  return `reviews ${runId}`;
}
