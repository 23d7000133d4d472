import { DELIVERIES_MAX } from '@agentclash/attempt-plan';
import type { PackError, RetryRequest } from '@agentclash/contracts';
import type { Outcome } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import { Prisma } from '../../generated/client.js';
import type { AttemptIdentity } from '../state/attempt-move.js';
import type { EndedAttempt } from '../state/retried.js';

/** A finished attempt, with what its end counts for. */
export interface FinishedAttempt extends AttemptIdentity, EndedAttempt {
  ordinal: number;
  outcome: Outcome;
  overall: number | null;
  packError: PackError | null;
  validity: string | null;
}

interface Slice {
  runId: string;
  only: RetryRequest['only'];
  /** Ordinal of the last one that was looked at. */
  after: number;
  take: number;
}

/** The rows of attempts that are run again. */
@Injectable()
export class RetriesStore {
  /** How many of these attempts belong to the run, and which of those are not finished. */
  async named(tx: Transaction, runId: string, ids: readonly string[]) {
    const rows = await tx.attempt.findMany({
      where: { runId, id: { in: [...ids] } },
      select: { id: true, state: true },
    });
    const unfinished = rows.filter(({ state }) => state !== 'finished').map(({ id }) => id);
    return { known: new Set(rows.map(({ id }) => id)), unfinished };
  }

  /** Finished attempts in the order of work; of those named, or of all. */
  async finished(tx: Transaction, { runId, only, after, take }: Slice): Promise<FinishedAttempt[]> {
    const named = Array.isArray(only) ? Prisma.sql`AND id = ANY(${only}::uuid[])` : Prisma.empty;
    return await tx.$queryRaw<FinishedAttempt[]>`
      SELECT id, run_agent_id AS "runAgentId", case_key AS "caseKey", repetition, ordinal, outcome, overall, passed, validity,
             score_revision AS revision, pack_error AS "packError",
             EXISTS (SELECT FROM events e WHERE e.attempt_id = attempts.id AND e.delivery = attempts.delivery
                        AND e.event_type = 'grader.verification.failed') AS "isUnverified"
        FROM attempts
       WHERE run_id = ${runId}::uuid AND state = 'finished' AND ordinal > ${after} ${named}
       ORDER BY ordinal LIMIT ${take}`;
  }

  /** Puts finished attempts back into line, with as many deliveries ahead as a new one has. */
  async queue(tx: Transaction, ids: readonly string[]): Promise<void> {
    await tx.$executeRaw`
      UPDATE attempts
         SET state = 'queued', outcome = NULL, result = NULL, finished_at = NULL, not_before = NULL, nudged_at = NULL,
             deliveries_max = delivery + ${DELIVERIES_MAX}::int,
             score_nudge = 0, score_due_at = NULL, score_revision = NULL, overall = NULL, passed = NULL,
             validity = NULL, pack_error = NULL
       WHERE id = ANY(${ids}::uuid[]) AND state = 'finished'`;
  }

  /** Forgets the jobs that were sent for waiting attempts, so that each is sent one again. */
  async recallNudges(tx: Transaction, runId: string): Promise<void> {
    await tx.attempt.updateMany({
      where: { runId, state: 'queued', nudgedAt: { not: null } },
      data: { nudgedAt: null },
    });
  }
}
