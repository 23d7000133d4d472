import type { Attempt, AttemptResult, AwaitedTurn, deliveries, In, PackError } from '@agentclash/contracts';
import { type AttemptState, isRunOver, type Outcome, RUN_STATUSES } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';
import type { Delivery as DeliveryRow, Prisma } from '../../generated/client.js';

export interface AttemptList {
  runId: string;
  runAgentId?: string | undefined;
  caseKey?: string | undefined;
  state?: AttemptState | undefined;
  outcome?: Outcome | undefined;
  /** Ordinal of the last one seen. */
  after?: number | undefined;
  take: number;
}

export interface FoundAttempt {
  attempt: Attempt;
  result: AttemptResult | null;
  deliveries: DeliveryView[];
}

interface DeliveryView {
  delivery: number;
  outcome: Outcome | null;
  error: Attempt['error'];
  started_at: string;
  finished_at: string | null;
}

const withAgent = {
  runAgent: { select: { name: true } },
  awaited: { omit: { state: true } },
} satisfies Prisma.AttemptInclude;
type Row = Prisma.AttemptGetPayload<{ include: typeof withAgent }>;

interface Peer {
  id: string;
  /** Completed in its last delivery. */
  steps: number;
  state: 'waiting' | 'working' | 'finished';
}

type LiveRequest = In<typeof deliveries.live>;

const LIVE_RUN = { status: { in: RUN_STATUSES.filter((status) => !isRunOver(status)) } };

/** What makes a delivery one that is at work. */
const AT_WORK: Record<LiveRequest['work'], (now: Date) => Prisma.AttemptWhereInput> = {
  execution: (now) => ({
    state: { notIn: ['queued', 'finished'] },
    leaseUntil: { gt: now },
    runAgent: { run: LIVE_RUN },
  }),
  /** Also of an ended run: it may be scored again at any time. */
  judging: () => ({ state: 'finished' }),
};

/** Attempts for readers. */
@Injectable()
export class AttemptReads {
  constructor(private readonly db: Database) {}

  /** In the order of work, with each one's ordinal. */
  async list({ runId, runAgentId, caseKey, state, outcome, after, take }: AttemptList) {
    const rows = await this.db.attempt.findMany({
      where: {
        runId,
        ...(runAgentId !== undefined && { runAgentId }),
        ...(caseKey !== undefined && { caseKey }),
        ...(state !== undefined && { state }),
        ...(outcome !== undefined && { outcome }),
        ...(after !== undefined && { ordinal: { gt: after } }),
      },
      include: withAgent,
      orderBy: { ordinal: 'asc' },
      take,
    });
    return rows.map((row) => ({ ordinal: row.ordinal, attempt: asAttempt(row) }));
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
      is_finished: state === 'finished',
    }));
  }

  async find(workspaceId: string, id: string): Promise<FoundAttempt | undefined> {
    const row = await this.db.attempt.findFirst({
      where: { id, runAgent: { run: { workspaceId } } },
      include: { ...withAgent, deliveries: { orderBy: { delivery: 'asc' } } },
    });
    if (row === null) return undefined;
    return { attempt: asAttempt(row), result: resultOf(row), deliveries: row.deliveries.map(asDelivery) };
  }

  /** The attempts of the run's other agents at the same case and repetition. */
  async peers({
    id,
    runId,
    caseKey,
    repetition,
  }: {
    id: string;
    runId: string;
    caseKey: string;
    repetition: number;
  }): Promise<Peer[]> {
    return await this.db.$queryRaw<Peer[]>`
      SELECT a.id,
             CASE a.state WHEN 'queued' THEN 'waiting' WHEN 'finished' THEN 'finished' ELSE 'working' END AS state,
             (SELECT count(*)::int FROM events e
               WHERE e.attempt_id = a.id AND e.delivery = a.delivery AND e.event_type = 'system.step.completed') AS steps
        FROM attempts a
       WHERE a.run_id = ${runId}::uuid AND a.case_key = ${caseKey} AND a.repetition = ${repetition}
         AND a.id <> ${id}::uuid
       ORDER BY a.ordinal`;
  }

  /** The run agent of a live delivery; nothing when it is not one. */
  async findLiveRunAgent({
    workspace_id,
    run_id,
    attempt_id,
    delivery,
    work,
  }: LiveRequest): Promise<string | undefined> {
    const ofRun = {
      id: attempt_id,
      runId: run_id,
      delivery,
      runAgent: { run: { workspaceId: workspace_id } },
    };
    const row = await this.db.attempt.findFirst({
      where: { AND: [ofRun, AT_WORK[work](new Date())] },
      select: { runAgentId: true },
    });
    return row?.runAgentId;
  }
}

function asAttempt(row: Row): Attempt {
  const result = resultOf(row);
  return {
    id: row.id,
    run_id: row.runId,
    run_agent_id: row.runAgentId,
    agent_name: row.runAgent.name,
    case_key: row.caseKey,
    repetition: row.repetition,
    state: row.state as AttemptState,
    delivery: row.delivery,
    outcome: row.outcome as Outcome | null,
    limit_kind: result?.limit_kind ?? null,
    finished_by: result?.finished_by ?? null,
    error: result?.error ?? null,
    overall: row.overall,
    passed: row.passed,
    validity: row.validity,
    ...(row.packError !== null && { pack_error: row.packError as PackError }),
    is_scored: row.scoreRevision !== null,
    tool_call_count: result?.tool_call_count ?? null,
    latency_ms: result?.latency_ms ?? null,
    started_at: row.startedAt?.toISOString() ?? null,
    finished_at: row.finishedAt?.toISOString() ?? null,
    awaits: row.state === 'parked' && row.awaited !== null ? asAwaitedTurn(row.awaited) : null,
  };
}

function asAwaitedTurn(turn: NonNullable<Row['awaited']>): AwaitedTurn {
  return {
    turn_index: turn.turnIndex,
    phase_id: turn.phaseId,
    deadline_at: turn.deadlineAt.toISOString(),
    last_message: turn.lastMessage,
  };
}

function asDelivery(row: DeliveryRow): DeliveryView {
  const result = resultOf(row);
  return {
    delivery: row.delivery,
    outcome: result?.outcome ?? null,
    error: result?.error ?? null,
    started_at: row.startedAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  };
}

function resultOf({ result }: { result: Prisma.JsonValue }): AttemptResult | null {
  return result as AttemptResult | null;
}
