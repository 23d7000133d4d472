import type { Database, Transaction } from '../../../database.js';
import type { RunLoad } from '../../state/dispatch-policy.js';
import { IN_FLIGHT, MAX_IN_FLIGHT, STALE_AT_ONCE } from './attempt-conditions.store.js';

/** An attempt and its run. */
export interface AttemptOfRun {
  id: string;
  runId: string;
}

/** Held attempts whose lease ran out. */
export async function findExpiredLeases(db: Database, now: Date): Promise<AttemptOfRun[]> {
  return await db.attempt.findMany({
    where: { leaseUntil: { lt: now } },
    select: { id: true, runId: true },
    orderBy: { leaseUntil: 'asc' },
    take: STALE_AT_ONCE,
  });
}

/** The expired delivery, locked: its executor cannot renew it any more. Nothing when it just did. */
export async function lockExpired(tx: Transaction, attemptId: string, now: Date) {
  const [row] = await tx.$queryRaw<
    { delivery: number; runAgentId: string; caseKey: string; repetition: number; executorId: string }[]
  >`
    SELECT delivery, run_agent_id AS "runAgentId", case_key AS "caseKey", repetition, executor_id AS "executorId"
      FROM attempts WHERE id = ${attemptId}::uuid AND lease_until < ${now}::timestamptz FOR UPDATE`;
  return row;
}

/** Waiting attempts of live runs whose job was sent before a moment and not claimed. */
export async function findUnclaimed(db: Database, before: Date): Promise<AttemptOfRun[]> {
  return await db.attempt.findMany({
    where: {
      state: 'queued',
      jobSentAt: { lt: before },
      runAgent: { run: { status: { in: ['queued', 'running'] } } },
    },
    select: { id: true, runId: true },
    take: STALE_AT_ONCE,
  });
}

/** Live runs that have both an attempt to dispatch and a free slot for it. */
export async function findStalledRuns(db: Database, now: Date): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT r.id FROM runs r
     WHERE r.status IN ('queued', 'running')
       AND EXISTS (SELECT 1 FROM attempts a
                    WHERE a.run_id = r.id AND a.state = 'queued' AND a.nudged_at IS NULL
                      AND (a.not_before IS NULL OR a.not_before <= ${now}::timestamptz))
       AND ${MAX_IN_FLIGHT} > (SELECT count(*) FROM attempts a WHERE a.run_id = r.id AND ${IN_FLIGHT})
     LIMIT ${STALE_AT_ONCE}`;
  return rows.map(({ id }) => id);
}

/** Stopped runs that still have waiting attempts. */
export async function findHalfStoppedRuns(db: Database): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT r.id FROM runs r
     WHERE r.status IN ('cancelled', 'failed') AND r.finished_at IS NULL
       AND EXISTS (SELECT 1 FROM attempts a WHERE a.run_id = r.id AND a.state = 'queued')
     LIMIT ${STALE_AT_ONCE}`;
  return rows.map(({ id }) => id);
}

/** Finished attempts whose requested score, or some of whose events, did not arrive. */
export async function findDueScores(db: Database, now: Date): Promise<AttemptOfRun[]> {
  return await db.attempt.findMany({
    where: { scoreDueAt: { lt: now } },
    select: { id: true, runId: true },
    orderBy: { scoreDueAt: 'asc' },
    take: STALE_AT_ONCE,
  });
}

/** Those of the attempts whose score is still due, and whether all events of their last delivery are stored. */
export async function findStillDue(tx: Transaction, ids: string[], now: Date) {
  return await tx.$queryRaw<{ id: string; isWhole: boolean }[]>`
    SELECT a.id, COALESCE(d.events_stored >= d.last_sequence, true) AS "isWhole"
      FROM attempts a LEFT JOIN deliveries d ON d.attempt_id = a.id AND d.delivery = a.delivery
     WHERE a.id = ANY(${ids}::uuid[]) AND a.score_due_at < ${now}::timestamptz`;
}

/**
 * The attempts in flight of every run of the workspace that has attempts left, oldest first. Locked until the end of
 * the transaction: two runs must not take the same free slots.
 */
export async function lockLoads(tx: Transaction, workspaceId: string): Promise<RunLoad[]> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`room/${workspaceId}`}, 0))`;
  return await tx.$queryRaw<RunLoad[]>`
    SELECT live.id AS "runId", live.in_flight AS "inFlight",
           (live.in_flight + LEAST(live.queued, GREATEST(0, live.size - live.in_flight)))::int AS wanted
      FROM (
        SELECT r.id, ${MAX_IN_FLIGHT} AS size,
               (SELECT count(*)::int FROM attempts a WHERE a.run_id = r.id AND ${IN_FLIGHT}) AS in_flight,
               CASE WHEN r.status IN ('queued', 'running') THEN (
                 SELECT count(*)::int FROM (
                   SELECT FROM attempts a WHERE a.run_id = r.id AND a.state = 'queued' AND a.nudged_at IS NULL
                    LIMIT ${MAX_IN_FLIGHT}) AS waiting)
               ELSE 0 END AS queued
          FROM runs r
         WHERE r.workspace_id = ${workspaceId}::uuid AND r.finished_at IS NULL
           AND r.status IN ('queued', 'running', 'paused', 'cancelled', 'failed')) AS live
     ORDER BY live.id`;
}
