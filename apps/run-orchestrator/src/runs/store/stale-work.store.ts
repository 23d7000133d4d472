import { RANKED_STATUSES } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database.js';
import { MAX_IN_FLIGHT } from './loads.store.js';

export interface OfRun {
  id: string;
  runId: string;
}

/** Most entries of one query; the next query continues. */
const TAKE = 200;

/** Finds what a lost message, a lost executor or a crash between commit and message left behind. */
@Injectable()
export class StaleWorkStore {
  constructor(private readonly db: Database) {}

  /** Held attempts whose lease ran out. */
  async expiredLeases(now: Date): Promise<OfRun[]> {
    return await this.db.attempt.findMany({
      where: { leaseUntil: { lt: now } },
      select: { id: true, runId: true },
      orderBy: { leaseUntil: 'asc' },
      take: TAKE,
    });
  }

  /** The expired delivery, locked: its executor cannot renew it any more. Nothing when it just did. */
  async lockExpired(tx: Transaction, attemptId: string, now: Date) {
    const [row] = await tx.$queryRaw<
      { delivery: number; runAgentId: string; caseKey: string; repetition: number; executorId: string }[]
    >`
      SELECT delivery, run_agent_id AS "runAgentId", case_key AS "caseKey", repetition, executor_id AS "executorId"
        FROM attempts WHERE id = ${attemptId}::uuid AND lease_until < ${now}::timestamptz FOR UPDATE`;
    return row;
  }

  /** Waiting attempts of live runs whose job was sent before a moment and not claimed. */
  async unclaimed(before: Date): Promise<OfRun[]> {
    return await this.db.attempt.findMany({
      where: {
        state: 'queued',
        nudgedAt: { lt: before },
        runAgent: { run: { status: { in: ['queued', 'running'] } } },
      },
      select: { id: true, runId: true },
      take: TAKE,
    });
  }

  /** Live runs that have both an attempt to dispatch and a free slot for it. */
  async stalledRuns(now: Date): Promise<string[]> {
    const rows = await this.db.$queryRaw<{ id: string }[]>`
      SELECT r.id FROM runs r
       WHERE r.status IN ('queued', 'running')
         AND EXISTS (SELECT 1 FROM attempts a
                      WHERE a.run_id = r.id AND a.state = 'queued' AND a.nudged_at IS NULL
                        AND (a.not_before IS NULL OR a.not_before <= ${now}::timestamptz))
         AND ${MAX_IN_FLIGHT} > (
               SELECT count(*) FROM attempts a
                WHERE a.run_id = r.id
                  AND ((a.state = 'queued' AND a.nudged_at IS NOT NULL)
                       OR a.state IN ('preparing', 'running', 'settling', 'verifying')))
       LIMIT ${TAKE}`;
    return rows.map(({ id }) => id);
  }

  /** Finished attempts whose requested score, or some of whose events, did not arrive. */
  async unscored(now: Date): Promise<OfRun[]> {
    return await this.db.attempt.findMany({
      where: { scoreDueAt: { lt: now } },
      select: { id: true, runId: true },
      orderBy: { scoreDueAt: 'asc' },
      take: TAKE,
    });
  }

  /** Those of the attempts whose score is still due, and whether all events of their last delivery are stored. */
  async stillDue(tx: Transaction, ids: string[], now: Date) {
    return await tx.$queryRaw<{ id: string; isWhole: boolean }[]>`
      SELECT a.id, COALESCE(d.events_stored >= d.last_sequence, true) AS "isWhole"
        FROM attempts a LEFT JOIN deliveries d ON d.attempt_id = a.id AND d.delivery = a.delivery
       WHERE a.id = ANY(${ids}::uuid[]) AND a.score_due_at < ${now}::timestamptz`;
  }

  async unscoredRuns(now: Date): Promise<string[]> {
    const where = { status: { in: [...RANKED_STATUSES] }, scoreDueAt: { lt: now } };
    return (await this.db.run.findMany({ where, select: { id: true }, take: TAKE })).map(({ id }) => id);
  }

  /** Stopped runs that still have waiting attempts. */
  async halfStoppedRuns(): Promise<string[]> {
    const rows = await this.db.$queryRaw<{ id: string }[]>`
      SELECT r.id FROM runs r
       WHERE r.status IN ('cancelled', 'failed') AND r.finished_at IS NULL
         AND EXISTS (SELECT 1 FROM attempts a WHERE a.run_id = r.id AND a.state = 'queued')
       LIMIT ${TAKE}`;
    return rows.map(({ id }) => id);
  }

  /** Runs that have ended without that being noted as published. */
  async unannouncedRuns(): Promise<string[]> {
    const where = { finishedAt: { not: null }, announcedAt: null };
    return (await this.db.run.findMany({ where, select: { id: true }, take: TAKE })).map(({ id }) => id);
  }

  /** Whether there are slots of calls whose executor is lost; a request for the same account drops them at once. */
  async hasExpiredSlots(now: Date): Promise<boolean> {
    const where = { leaseUntil: { lte: now } };
    return (await this.db.modelSlot.findFirst({ where, select: { id: true } })) !== null;
  }

  async dropExpiredSlots(now: Date): Promise<void> {
    await this.db.modelSlot.deleteMany({ where: { leaseUntil: { lte: now } } });
  }
}
