import { LaneVariant } from '@agentclash/contracts';
import type { Outcome, RunStatus } from '@agentclash/domain';
import { type AgentCounts, addCounts, noCounts, type PlainCount } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database.js';
import { Prisma } from '../../generated/client.js';
import { type EventRow, SCORING } from '../state/event-draft.js';
import { type LockedRun, RunChange } from '../state/run-change.js';
import { runIdOf } from './attempts/attempt-conditions.store.js';
import type { LaneLatency } from './attempts/attempt-reads.store.js';
import { WebAddress, writeNotices } from './webhook-notices.store.js';

/** Works while the run's row is locked; what it collects in the change is written with it. */
export type LockedWork<T> = (change: RunChange, tx: Transaction) => Promise<T>;

export interface CountedAgent {
  id: string;
  name: string;
  variant?: LaneVariant;
  counts: AgentCounts;
}

/** Columns that count a run agent's attempts by outcome. */
const OUTCOME_COLUMNS = {
  completed: 'completed',
  agent_error: 'agentError',
  limit_reached: 'limitReached',
  policy_violation: 'policyViolation',
  provider_error: 'providerError',
  infra_error: 'infraError',
  cancelled: 'cancelled',
} as const satisfies Record<Outcome, string>;

type CountRow = Pick<AgentCounts, PlainCount> & Record<(typeof OUTCOME_COLUMNS)[Outcome], number>;

/** The workspace of a run that is being deleted: every reader names a workspace, and none has this id. */
export const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

/** The only way in which a run, its counts and its history change. */
@Injectable()
export class RunChangesStore {
  constructor(
    private readonly db: Database,
    private readonly address: WebAddress,
  ) {}

  /** As `change`, for the run that an attempt belongs to. */
  async changeOfAttempt<T>(
    attemptId: string,
    work: LockedWork<T>,
  ): Promise<{ change: RunChange; result: T } | undefined> {
    return await this.locked(runIdOf(attemptId), work);
  }

  /**
   * Locks the run, works, writes, commits. The lock makes positions gap-free in commit order and keeps concurrent
   * changes of one run apart; nothing when there is no such run.
   */
  async change<T>(runId: string, work: LockedWork<T>): Promise<{ change: RunChange; result: T } | undefined> {
    return await this.locked(Prisma.sql`${runId}::uuid`, work);
  }

  private async locked<T>(
    runId: Prisma.Sql,
    work: LockedWork<T>,
  ): Promise<{ change: RunChange; result: T } | undefined> {
    return await this.db.$transaction(async (tx) => {
      const run = await lock(tx, runId);
      if (run === undefined) return undefined;
      const change = new RunChange(run, new Date());
      const result = await work(change, tx);
      if (!change.isEmpty) await write(tx, change);
      await writeNotices(tx, change, this.address);
      return { change, result };
    });
  }

  /** Stores the percentiles of the times of lanes; those without a known time have none any more. */
  async setLatencies(tx: Transaction, lanes: readonly LaneLatency[]): Promise<void> {
    await tx.$executeRaw`
      UPDATE run_agents a SET latency_attempts = l.attempts, latency_p50_ms = l.p50_ms, latency_p95_ms = l.p95_ms
        FROM json_to_recordset(${JSON.stringify(lanes)}::json) AS l(
          "laneId" uuid, attempts int, p50_ms float8, p95_ms float8)
       WHERE a.id = l."laneId"`;
  }

  /** The run's agents in order, their counts with what the change adds to them. */
  async agents(change: RunChange, tx: Transaction): Promise<CountedAgent[]> {
    const rows = await tx.runAgent.findMany({
      where: { runId: change.run.id },
      omit: { snapshot: true },
      orderBy: { ordinal: 'asc' },
    });
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      ...(row.variant !== null && { variant: LaneVariant.parse(row.variant) }),
      counts: (change.counts.get(row.id) ?? []).reduce(addCounts, countsOf(row)),
    }));
  }
}

/** The counts in a row of `run_agents`. */
export function countsOf(row: CountRow): AgentCounts {
  const { queued, running, scored, passed, usable, graded, overallSum, judged, tokens } = row;
  const { costUsd, unpriced, skipped } = row;
  const byOutcome = Object.fromEntries(
    Object.entries(OUTCOME_COLUMNS).map(([outcome, column]) => [outcome, row[column]]),
  );
  return {
    queued,
    running,
    scored,
    passed,
    usable,
    graded,
    overallSum,
    judged,
    tokens,
    costUsd,
    unpriced,
    skipped,
    byOutcome: byOutcome as AgentCounts['byOutcome'],
  };
}

async function lock(tx: Transaction, runId: Prisma.Sql): Promise<LockedRun | undefined> {
  const [run] = await tx.$queryRaw<(Omit<LockedRun, 'status'> & { status: string })[]>`
    SELECT id, workspace_id AS "workspaceId", request_id AS "requestId", version_id AS "versionId", evaluation_spec_id AS "evaluationSpecId",
           execution_mode AS "executionMode", status,
           repetitions, round, selective_retry AS "selectiveRetry", model_calls AS "modelCalls", imported, pack_errors AS "packErrors", case_keys AS "caseSubset", max_concurrency AS "maxConcurrency",
           event_position AS "eventPosition", event_sequence AS "eventSequence", unfinished, unscored,
           started_at AS "startedAt", finished_at AS "finishedAt", score_due_at AS "scoreDueAt",
           announced_at AS "announcedAt", stop_when AS "stopWhen", stopped, race_blocks AS "raceBlocks", race_due_at AS "raceDueAt",
           CASE WHEN stop_when IS NULL THEN '{}'::uuid[] ELSE ARRAY(
             SELECT a.id FROM run_agents a WHERE a.run_id = runs.id AND a.halted_at IS NOT NULL) END AS "haltedAgents"
      FROM runs WHERE id = ${runId} AND workspace_id <> ${NO_WORKSPACE}::uuid FOR UPDATE`;
  return run && { ...run, status: run.status as RunStatus };
}

/** Counts, history and the run's row in one round trip. */
async function write(tx: Transaction, change: RunChange): Promise<void> {
  const { run, patch } = change;
  const ranking = patch.ranking === undefined ? null : JSON.stringify(patch.ranking);
  const packErrors = patch.packErrors === undefined ? null : JSON.stringify(patch.packErrors);
  const scoreDueAt = patch.scoreDueAt === undefined ? run.scoreDueAt : patch.scoreDueAt;
  const finishedAt = patch.finishedAt === undefined ? run.finishedAt : patch.finishedAt;
  const raceDueAt = patch.raceDueAt === undefined ? run.raceDueAt : patch.raceDueAt;
  const race = patch.race === undefined ? null : JSON.stringify(patch.race);
  const stopped = patch.stopped === undefined ? run.stopped : patch.stopped;
  const announcedAt = patch.announcedAt === undefined ? run.announcedAt : patch.announcedAt;
  await tx.$executeRaw`
    WITH counted AS (${countAgents(change)}), written AS (${insertEvents(change)}), stored AS (${countEvents(change)})
    UPDATE runs SET
      status = ${change.status},
      event_position = ${run.eventPosition + change.events.length},
      event_sequence = ${run.eventSequence + change.factCount},
      unfinished = ${change.unfinishedLeft},
      unscored = ${change.unscoredLeft},
      started_at = ${patch.startedAt ?? run.startedAt}::timestamptz,
      finished_at = ${finishedAt}::timestamptz,
      score_due_at = ${scoreDueAt}::timestamptz,
      announced_at = ${announcedAt}::timestamptz,
      round = ${patch.round ?? run.round},
      selective_retry = ${patch.selectiveRetry ?? run.selectiveRetry},
      pack_errors = COALESCE(${packErrors}::json, pack_errors),
      ranking = COALESCE(${ranking}::json, ranking),
      race = COALESCE(${race}::json, race),
      race_blocks = ${patch.raceBlocks ?? run.raceBlocks},
      race_due_at = ${raceDueAt}::timestamptz,
      stopped = ${stopped}
    WHERE id = ${run.id}::uuid`;
}

function countAgents(change: RunChange): Prisma.Sql {
  const rows = [...change.counts].map(([id, changes]) => ({
    id,
    ...columnsOf(changes.reduce(addCounts, noCounts())),
  }));
  return Prisma.sql`
    UPDATE run_agents a SET
      queued = a.queued + d.queued, running = a.running + d.running, scored = a.scored + d.scored,
      passed = a.passed + d.passed, usable = a.usable + d.usable, graded = a.graded + d.graded, overall_sum = a.overall_sum + d."overallSum",
      judged = a.judged + d.judged, tokens = a.tokens + d.tokens, cost_usd = a.cost_usd + d."costUsd",
      unpriced = a.unpriced + d.unpriced,
      completed = a.completed + d.completed, agent_error = a.agent_error + d."agentError",
      limit_reached = a.limit_reached + d."limitReached",
      policy_violation = a.policy_violation + d."policyViolation",
      provider_error = a.provider_error + d."providerError", infra_error = a.infra_error + d."infraError",
      cancelled = a.cancelled + d.cancelled, skipped = a.skipped + d.skipped
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS d(
      id uuid, queued int, running int, scored int, passed int, usable int, graded int, "overallSum" float8,
      judged int, tokens float8, "costUsd" float8, unpriced int, completed int,
      "agentError" int, "limitReached" int, "policyViolation" int, "providerError" int, "infraError" int, cancelled int, skipped int)
    WHERE a.id = d.id`;
}

function columnsOf({ byOutcome, ...plain }: AgentCounts): CountRow {
  const outcomes = Object.fromEntries(
    Object.entries(OUTCOME_COLUMNS).map(([outcome, column]) => [column, byOutcome[outcome as Outcome]]),
  );
  return { ...plain, ...(outcomes as Record<(typeof OUTCOME_COLUMNS)[Outcome], number>) };
}

function insertEvents({ run, events }: RunChange): Prisma.Sql {
  const rows = events.map((event, index) => asText(event, run.eventPosition + index + 1));
  return Prisma.sql`
    INSERT INTO events (run_id, position, event_id, run_agent_id, attempt_id, delivery, case_key, repetition,
                        sequence_number, event_type, source, occurred_at, payload, summary)
    SELECT ${run.id}::uuid, e.position, e."eventId", e."runAgentId", e."attemptId", e.delivery, e."caseKey",
           e.repetition, e."sequenceNumber", e."eventType", e.source, e."occurredAt", e.payload::json, e.summary::json
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS e(
        position int, "eventId" uuid, "runAgentId" uuid, "attemptId" uuid, delivery int, "caseKey" text,
        repetition int, "sequenceNumber" int, "eventType" text, source text, "occurredAt" timestamptz,
        payload text, summary text)`;
}

/** Each delivery counts its own events; scoring waits for that count, to which its own events do not belong. */
function countEvents({ events }: RunChange): Prisma.Sql {
  const counts = new Map<string, { attemptId: string; delivery: number; count: number }>();
  for (const { attemptId, delivery, source } of events) {
    if (attemptId === null || delivery === null || source === SCORING) continue;
    const key = `${attemptId} ${delivery}`;
    counts.set(key, { attemptId, delivery, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return Prisma.sql`
    UPDATE deliveries d SET events_stored = d.events_stored + c.count
      FROM json_to_recordset(${JSON.stringify([...counts.values()])}::json) AS c(
        "attemptId" uuid, delivery int, count int)
     WHERE d.attempt_id = c."attemptId" AND d.delivery = c.delivery`;
}

/** Free JSON travels as text within the JSON: reading `\u0000` as a character would fail in Postgres. */
function asText(event: EventRow, position: number) {
  return {
    ...event,
    position,
    payload: JSON.stringify(event.payload),
    summary: JSON.stringify(event.summary),
  };
}
