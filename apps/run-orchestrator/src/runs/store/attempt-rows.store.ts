import type { Attempt, AttemptResult, AwaitedTurn, PackError } from '@agentclash/contracts';
import type { AttemptState, Outcome } from '@agentclash/domain';
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

/** Attempts for readers. */
@Injectable()
export class AttemptRows {
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
