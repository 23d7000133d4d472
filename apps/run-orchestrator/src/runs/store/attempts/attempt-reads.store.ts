import type {
  AttemptResult,
  AttemptScored,
  deliveries,
  In,
  PackError,
  RetryRequest,
  runs,
} from '@agentclash/contracts';
import {
  type AttemptState,
  isHeld,
  isOver,
  type Outcome,
  type PeerProgress,
  type RaceMetric,
  type RunStatus,
} from '@agentclash/domain';
import type { AttemptScore } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../database.js';
import { Prisma } from '../../../generated/client.js';
import type { EndedAttempt } from '../../state/retried.js';
import type { AttemptIdentity } from '../../state/state-moves.js';
import { IS_HALTED, ofRun } from './attempt-conditions.store.js';
import {
  type AttemptList,
  findAttempt,
  findIds,
  findLiveRunAgent,
  idsBeginning,
  listAttempts,
} from './attempt-views.store.js';
import {
  type DeliveryKey,
  findDeliveryContexts,
  findEnds,
  findParked,
  findReplyFacts,
  findWonBefore,
  type NamedClaim,
} from './delivery-reads.store.js';
import { findLaneCosts, type LaneCosts, type LaneCounts } from './lane-costs.store.js';
import { findLaneLatencies, type LaneLatency } from './lane-latencies.store.js';
import {
  type EndedDelivery,
  findBlocks,
  findConcurrency,
  findEndedDeliveries,
  findValuesByCase,
} from './race-values.store.js';
import {
  findDueScores,
  findExpiredLeases,
  findHalfStoppedRuns,
  findStalledRuns,
  findStillDue,
  findUnclaimed,
  lockExpired,
  lockLoads,
} from './stale-attempts.store.js';

export type { EndedDelivery, LaneCosts, LaneLatency };
export { idsBeginning };

/** An attempt with what is needed to plan it. */
export interface PlannableAttempt {
  id: string;
  runId: string;
  runAgentId: string;
  caseKey: string;
  repetition: number;
  /** Position in the order of work. */
  ordinal: number;
  state: AttemptState;
  delivery: number;
  deliveriesMax: number;
  notBefore: Date | null;
  executorId: string | null;
  result: AttemptResult | null;
  workspaceId: string;
  runStatus: RunStatus;
  versionId: string;
  evaluationSpecId: string;
  inputSetKey: string;
  limits: object;
}

/** An attempt with what its run contributes to grading. */
export interface AttemptToGrade {
  id: string;
  runId: string;
  runAgentId: string;
  caseKey: string;
  repetition: number;
  delivery: number;
  /** Null while it is not finished. */
  result: AttemptResult | null;
  versionId: string;
  evaluationSpecId: string;
  inputSetKey: string;
  /** It was run elsewhere. */
  isImported: boolean;
  /** Stored events of its last delivery. */
  eventCount: number;
}

/** A finished attempt with the score in its row. */
export interface ScoredAttempt extends AttemptScore, AttemptIdentity {
  delivery: number;
  packError: PackError | null;
  /** Number of the last event in the history of that delivery; null without a delivery. */
  lastSequence: number | null;
}

/** A finished attempt, with what its end counts for. */
export interface FinishedAttempt extends AttemptIdentity, EndedAttempt {
  ordinal: number;
  outcome: Outcome;
  overall: number | null;
  packError: PackError | null;
  validity: string | null;
}

/** Attempts whose cases are read ahead of their claims. */
const ATTEMPTS_AHEAD = 200;

/** The lane, case and repetition of an attempt. */
interface AttemptLocation {
  lane: string;
  case_key: string;
  repetition: number;
}

interface LocatedAttempt extends AttemptIdentity {
  state: AttemptState;
}

interface Slice {
  runId: string;
  only: RetryRequest['only'];
  /** Ordinal of the last one that was looked at. */
  after: number;
  take: number;
}

/**
 * All that is read of the table of attempts. What takes a transaction runs inside a change of the attempts' run. The
 * statements on views, deliveries and stale work are functions of the files beside it.
 */
@Injectable()
export class AttemptReads {
  readonly deliveryContexts = findDeliveryContexts;
  readonly findParked = findParked;
  readonly laneLatencies = findLaneLatencies;
  readonly lockExpired = lockExpired;
  readonly lockLoads = lockLoads;
  readonly replyFacts = findReplyFacts;
  readonly stillDue = findStillDue;

  constructor(private readonly db: Database) {}

  readonly find = (workspaceId: string, id: string) => findAttempt(this.db, workspaceId, id);
  readonly findIds = (request: In<typeof runs.findIds>) => findIds(this.db, request);
  readonly findLiveRunAgent = (request: In<typeof deliveries.live>) => findLiveRunAgent(this.db, request);
  readonly list = (of: AttemptList) => listAttempts(this.db, of);

  readonly findEnds = (keys: readonly DeliveryKey[]) => findEnds(this.db, keys);
  readonly wonBefore = (ids: readonly string[], claim: NamedClaim) => findWonBefore(this.db, ids, claim);

  readonly dueScores = (now: Date) => findDueScores(this.db, now);
  readonly blocks = (runId: string, metric: RaceMetric) => findBlocks(this.db, runId, metric);
  readonly laneCosts = (lanes: readonly LaneCounts[]) => findLaneCosts(this.db, lanes);
  readonly concurrency = (runId: string) => findConcurrency(this.db, runId);
  readonly endedDeliveries = (runAgentId: string) => findEndedDeliveries(this.db, runAgentId);
  readonly valuesByCase = (runAgentId: string, metric: RaceMetric) =>
    findValuesByCase(this.db, runAgentId, metric);

  readonly expiredLeases = (now: Date) => findExpiredLeases(this.db, now);
  readonly halfStoppedRuns = () => findHalfStoppedRuns(this.db);
  readonly stalledRuns = (now: Date) => findStalledRuns(this.db, now);
  readonly unclaimed = (before: Date) => findUnclaimed(this.db, before);

  async findContext(attemptId: string): Promise<PlannableAttempt | undefined> {
    const [context] = await this.findContexts([attemptId]);
    return context;
  }

  /** Those of the attempts that there are, in no order. */
  async findContexts(attemptIds: readonly string[]): Promise<PlannableAttempt[]> {
    return await this.db.$queryRaw<PlannableAttempt[]>`
      SELECT a.id, a.run_id AS "runId", a.run_agent_id AS "runAgentId", a.case_key AS "caseKey", a.repetition, a.ordinal, a.state,
             a.delivery, a.deliveries_max AS "deliveriesMax", a.not_before AS "notBefore",
             a.executor_id AS "executorId", a.result, r.workspace_id AS "workspaceId", r.status AS "runStatus",
             r.version_id AS "versionId", r.evaluation_spec_id AS "evaluationSpecId",
             r.input_set_key AS "inputSetKey", r.limits
        FROM attempts a JOIN runs r ON r.id = a.run_id
       WHERE a.id = ANY(${attemptIds}::uuid[])`;
  }

  /** The cases of the attempts that follow one in the order of work, each once. */
  async casesAfter({ runId, ordinal }: Pick<PlannableAttempt, 'runId' | 'ordinal'>): Promise<string[]> {
    const rows = await this.db.attempt.findMany({
      where: { runId, ordinal: { gt: ordinal } },
      orderBy: { ordinal: 'asc' },
      take: ATTEMPTS_AHEAD,
      select: { caseKey: true },
    });
    return [...new Set(rows.map(({ caseKey }) => caseKey))];
  }

  /** The runs of attempts, by attempt. */
  async findRuns(ids: string[]): Promise<Map<string, string>> {
    const rows = await this.db.$queryRaw<{ id: string; runId: string }[]>`
      SELECT id, run_id AS "runId" FROM attempts WHERE id = ANY(${ids}::uuid[])`;
    return new Map(rows.map(({ id, runId }) => [id, runId]));
  }

  /** Attempts of a run that were dispatched, at work or over. */
  async countDispatched(tx: Pick<Transaction, 'attempt'>, runId: string): Promise<number> {
    return await tx.attempt.count({
      where: {
        runId,
        state: { not: 'skipped' },
        NOT: { state: 'queued', delivery: 0, jobSentAt: null },
      },
    });
  }

  /** True while an executor holds this delivery. */
  async isAtWork(tx: Transaction, of: { id: string; runId: string; delivery: number }): Promise<boolean> {
    const attempt = await tx.attempt.findFirst({ where: of, select: { state: true } });
    return attempt !== null && isHeld(attempt.state as AttemptState);
  }

  /** The first attempts of a run, in the order of work. */
  async idsOfRun(runId: string, take: number): Promise<string[]> {
    const rows = await this.db.attempt.findMany({
      where: { runId },
      orderBy: { ordinal: 'asc' },
      take,
      select: { id: true },
    });
    return rows.map(({ id }) => id);
  }

  /** The cases of which no attempt of these lanes was skipped, up to a repetition. */
  async casesOf({ agentIds, repetitions }: { agentIds: readonly string[]; repetitions: number }) {
    const rows = await this.db.$queryRaw<{ caseKey: string }[]>`
      SELECT case_key AS "caseKey" FROM attempts
       WHERE run_agent_id = ANY(${agentIds}::uuid[]) AND repetition <= ${repetitions}::int
       GROUP BY case_key HAVING bool_and(state <> 'skipped')`;
    return rows.map(({ caseKey }) => caseKey);
  }

  /** The cases of a run that some attempt did not pass. */
  async casesNotPassed(runId: string): Promise<string[]> {
    const rows = await this.db.attempt.findMany({
      where: { runId, state: { not: 'skipped' }, OR: [{ passed: false }, { passed: null }] },
      select: { caseKey: true },
      distinct: ['caseKey'],
    });
    return rows.map(({ caseKey }) => caseKey);
  }

  /** The attempts of all agents on one case and repetition. */
  async field(at: { workspaceId: string; runId: string; caseKey: string; repetition: number }) {
    const { workspaceId, ...key } = at;
    const rows = await this.db.attempt.findMany({
      where: { ...key, runAgent: { run: { workspaceId } } },
      select: { id: true, runAgentId: true, delivery: true, state: true },
      orderBy: { ordinal: 'asc' },
    });
    return rows.map(({ id, runAgentId, delivery, state }) => ({
      attempt_id: id,
      run_agent_id: runAgentId,
      delivery,
      is_finished: isOver(state as AttemptState),
    }));
  }

  /** The finished attempt that an attempt replays: of the same lane, case and repetition in the recorded run. */
  async findReplayed(id: string): Promise<DeliveryKey | undefined> {
    const [found] = await this.db.$queryRaw<DeliveryKey[]>`
      SELECT s.id AS "attemptId", s.delivery
        FROM attempts a
        JOIN runs r ON r.id = a.run_id
        JOIN run_agents ra ON ra.id = a.run_agent_id
        JOIN runs recorded ON recorded.id = r.replay_from AND recorded.workspace_id = r.workspace_id
        JOIN run_agents sa ON sa.run_id = recorded.id AND sa.deployment_id = ra.deployment_id
         AND sa.variant->>'name' IS NOT DISTINCT FROM ra.variant->>'name'
        JOIN attempts s ON s.run_agent_id = sa.id AND s.case_key = a.case_key AND s.repetition = a.repetition
       WHERE a.id = ${id}::uuid AND s.state = 'finished' LIMIT 1`;
    return found;
  }

  /** The attempts of the run's other agents at the same case and repetition. */
  async peers(
    of: Pick<PlannableAttempt, 'id' | 'runId' | 'caseKey' | 'repetition'>,
  ): Promise<PeerProgress[]> {
    return await this.db.$queryRaw<PeerProgress[]>`
      SELECT a.id,
             CASE a.state WHEN 'queued' THEN 'waiting' WHEN 'finished' THEN 'finished' WHEN 'skipped' THEN 'finished' ELSE 'working' END AS state,
             (SELECT count(*)::int FROM events e
               WHERE e.attempt_id = a.id AND e.delivery = a.delivery AND e.event_type = 'system.step.completed') AS steps
        FROM attempts a
       WHERE a.run_id = ${of.runId}::uuid AND a.case_key = ${of.caseKey} AND a.repetition = ${of.repetition}
         AND a.id <> ${of.id}::uuid
       ORDER BY a.ordinal`;
  }

  /** Those of the attempts that are the workspace's, by id. */
  async toGrade(workspaceId: string, ids: readonly string[]): Promise<Map<string, AttemptToGrade>> {
    const rows = await this.db.$queryRaw<AttemptToGrade[]>`
      SELECT a.id, a.run_id AS "runId", a.run_agent_id AS "runAgentId", a.case_key AS "caseKey", a.repetition,
             a.delivery, a.result, r.version_id AS "versionId", r.evaluation_spec_id AS "evaluationSpecId",
             r.input_set_key AS "inputSetKey", r.imported IS NOT NULL AS "isImported",
             COALESCE(d.events_stored, 0) AS "eventCount"
        FROM attempts a
        JOIN runs r ON r.id = a.run_id
        LEFT JOIN deliveries d ON d.attempt_id = a.id AND d.delivery = a.delivery
       WHERE a.id = ANY(${ids}::uuid[]) AND r.workspace_id = ${workspaceId}::uuid`;
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The finished ones among these without a score after so many requests. */
  async unscored(runId: string, ids: readonly string[], requestsMin: number) {
    return await this.db.$queryRaw<Pick<AttemptScored, 'attempt_id' | 'run_agent_id' | 'delivery'>[]>`
      SELECT id AS attempt_id, run_agent_id, delivery FROM attempts
       WHERE id = ANY(${ids}::uuid[]) AND ${ofRun(runId)} AND state = 'finished'
         AND score_revision IS NULL AND score_nudge >= ${requestsMin}`;
  }

  /** The finished ones among these attempts of the run, by id. */
  async findScored(
    tx: Transaction,
    runId: string,
    ids: readonly string[],
  ): Promise<Map<string, ScoredAttempt>> {
    const rows = await tx.$queryRaw<ScoredAttempt[]>`
      SELECT a.id, a.run_agent_id AS "runAgentId", a.case_key AS "caseKey", a.repetition, a.delivery,
             a.score_revision AS revision, a.overall, a.passed, a.validity, a.pack_error AS "packError",
             GREATEST(d.last_sequence, (SELECT max(e.sequence_number) FROM events e
                                         WHERE e.attempt_id = a.id AND e.delivery = a.delivery)) AS "lastSequence"
        FROM attempts a
        LEFT JOIN deliveries d ON d.attempt_id = a.id AND d.delivery = a.delivery
       WHERE a.id = ANY(${ids}::uuid[]) AND ${ofRun(runId)} AND a.state = 'finished'`;
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Finished attempts in the order of work; of those named, or of all. */
  async findFinished(tx: Transaction, { runId, only, after, take }: Slice): Promise<FinishedAttempt[]> {
    const named = Array.isArray(only) ? Prisma.sql`AND id = ANY(${only}::uuid[])` : Prisma.empty;
    return await tx.$queryRaw<FinishedAttempt[]>`
      SELECT id, run_agent_id AS "runAgentId", case_key AS "caseKey", repetition, ordinal, outcome, overall, passed, validity,
             score_revision AS revision, pack_error AS "packError",
             EXISTS (SELECT FROM events e WHERE e.attempt_id = attempts.id AND e.delivery = attempts.delivery
                        AND e.event_type = 'grader.verification.failed') AS "isUnverified",
             ${IS_HALTED} AS "isHalted"
        FROM attempts
       WHERE run_id = ${runId}::uuid AND state = 'finished' AND ordinal > ${after} ${named}
       ORDER BY ordinal LIMIT ${take}`;
  }

  /** Which of these attempts belong to the run, and which of those are not finished. */
  async findNamed(tx: Transaction, runId: string, ids: readonly string[]) {
    const rows = await tx.attempt.findMany({
      where: { runId, id: { in: [...ids] } },
      select: { id: true, state: true },
    });
    const unfinished = rows.filter(({ state }) => state !== 'finished').map(({ id }) => id);
    return { known: new Set(rows.map(({ id }) => id)), unfinished };
  }

  /** The attempts of a run at these locations, by the index of the location. */
  async findLocations(tx: Transaction, runId: string, locations: readonly AttemptLocation[]) {
    // Only what the query reads: Postgres cannot read every text that comes with a location.
    const rowOf = ({ lane, case_key, repetition }: AttemptLocation, n: number) => {
      return { n, lane, case_key, repetition };
    };
    const rows = await tx.$queryRaw<(LocatedAttempt & { n: number })[]>`
      SELECT i.n, a.id, a.run_agent_id AS "runAgentId", a.case_key AS "caseKey", a.repetition, a.state
        FROM json_to_recordset(${JSON.stringify(locations.map(rowOf))}::json) AS i(
             n int, lane text, case_key text, repetition int)
        JOIN run_agents ra ON ra.run_id = ${runId}::uuid AND ra.name = i.lane
        JOIN attempts a ON a.run_agent_id = ra.id AND a.case_key = i.case_key AND a.repetition = i.repetition`;
    return new Map(rows.map(({ n, ...row }) => [n, row]));
  }

  /** Deliveries that the attempt may have by itself. */
  async deliveriesMax(tx: Transaction, id: string): Promise<number> {
    const { deliveriesMax } = await tx.attempt.findUniqueOrThrow({
      where: { id },
      select: { deliveriesMax: true },
    });
    return deliveriesMax;
  }
}
