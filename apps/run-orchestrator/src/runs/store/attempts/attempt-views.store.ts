import {
  type Attempt,
  type AttemptResult,
  type AwaitedTurn,
  type deliveries,
  type In,
  type Out,
  type PackError,
  runNumberOf,
  type runs,
} from '@agentclash/contracts';
import { type AttemptState, hasRunEnded, type Outcome, RUN_STATUSES } from '@agentclash/domain';
import { literally } from '@agentclash/service-kit';
import type { Database } from '../../../database.js';
import type { Delivery as DeliveryRow, Prisma } from '../../../generated/client.js';

export interface AttemptList {
  runId: string;
  runAgentId?: string | undefined;
  caseKey?: string | undefined;
  /** In any case of letters. */
  casePart?: string | undefined;
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
  runAgent: { select: { name: true, kind: true } },
  awaited: { omit: { state: true } },
} satisfies Prisma.AttemptInclude;
type Row = Prisma.AttemptGetPayload<{ include: typeof withAgent }>;

/** In the order of work, with each one's ordinal. */
export async function listAttempts(db: Database, of: AttemptList) {
  const { runId, runAgentId, caseKey, casePart, state, outcome, after, take } = of;
  const rows = await db.attempt.findMany({
    where: {
      runId,
      ...(runAgentId !== undefined && { runAgentId }),
      ...(caseKey !== undefined && { caseKey }),
      ...(casePart !== undefined && {
        AND: { caseKey: { contains: literally(casePart), mode: 'insensitive' } },
      }),
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

export async function findAttempt(
  db: Database,
  workspaceId: string,
  id: string,
): Promise<FoundAttempt | undefined> {
  const row = await db.attempt.findFirst({
    where: { id, runAgent: { run: { workspaceId } } },
    include: { ...withAgent, deliveries: { orderBy: { delivery: 'asc' } } },
  });
  if (row === null) return undefined;
  return { attempt: asAttempt(row), result: resultOf(row), deliveries: row.deliveries.map(asDelivery) };
}

type LiveRequest = In<typeof deliveries.live>;

const LIVE_RUN = { status: { in: RUN_STATUSES.filter((status) => !hasRunEnded(status)) } };

/** The condition that a delivery is at work. */
const AT_WORK: Record<LiveRequest['work'], (now: Date) => Prisma.AttemptWhereInput> = {
  execution: (now) => ({
    state: { notIn: ['queued', 'finished', 'skipped'] },
    leaseUntil: { gt: now },
    runAgent: { run: LIVE_RUN },
  }),
  /** Also of an ended run: it may be scored again at any time. */
  judging: () => ({ state: 'finished' }),
};

/** The run agent of a live delivery; nothing when it is not one. */
export async function findLiveRunAgent(db: Database, request: LiveRequest): Promise<string | undefined> {
  const { workspace_id, run_id, attempt_id, delivery, work } = request;
  const isNamed = {
    id: attempt_id,
    runId: run_id,
    delivery,
    runAgent: { run: { workspaceId: workspace_id } },
  };
  const row = await db.attempt.findFirst({
    where: { AND: [isNamed, AT_WORK[work](new Date())] },
    select: { runAgentId: true },
  });
  return row?.runAgentId;
}

/** Most ids of each kind in a reply. */
const IDS_MAX = 10;
/** Endings have no index: attempts are looked for in so many runs, run by run, and not in the table of all workspaces. */
const NEWEST_RUNS = 50;

/** The ids that begin so. */
export function idsBeginning(part: string): { gte: string; lte: string } {
  const digits = digitsOf(part);
  return { gte: uuidOf(digits.padEnd(32, '0')), lte: uuidOf(digits.padEnd(32, 'f')) };
}

/** Fewer digits are the number of a run alone. */
const ID_DIGITS_MIN = 4;

/** Runs and attempts by a part of their id, and a run by its number, as a person types or copies it. */
export async function findIds(
  db: Database,
  { workspace_id, part }: In<typeof runs.findIds>,
): Promise<Out<typeof runs.findIds>> {
  const number = runNumberOf(part) ?? null;
  const numbered =
    number === null
      ? []
      : await db.run.findMany({ where: { workspaceId: workspace_id, number }, select: { id: true } });
  const ids = { runs: numbered.map(({ id }) => id), attempts: [] };
  if (part.startsWith('#') || digitsOf(part).length < ID_DIGITS_MIN) return ids;
  const found = await findByIdPart(db, workspace_id, part);
  return { ...found, runs: [...new Set([...ids.runs, ...found.runs])] };
}

async function findByIdPart(
  db: Database,
  workspace_id: string,
  part: string,
): Promise<Out<typeof runs.findIds>> {
  const { gte: from, lte: to } = idsBeginning(part);
  const ending = `%${digitsOf(part)}`;
  const found = await db.$queryRaw<{ kind: 'run' | 'attempt'; id: string }[]>`
    WITH ours AS (SELECT id FROM runs WHERE workspace_id = ${workspace_id}::uuid),
    newest AS (SELECT id FROM ours ORDER BY id DESC LIMIT ${NEWEST_RUNS})
    (SELECT 'run' AS kind, id FROM ours
      WHERE id BETWEEN ${from}::uuid AND ${to}::uuid OR replace(id::text, '-', '') LIKE ${ending} LIMIT ${IDS_MAX})
    UNION ALL
    (SELECT 'attempt', id FROM (
       SELECT a.id FROM attempts a JOIN ours ON ours.id = a.run_id
        WHERE a.id BETWEEN ${from}::uuid AND ${to}::uuid
       UNION
       SELECT a.id FROM newest CROSS JOIN LATERAL (
         SELECT id FROM attempts WHERE run_id = newest.id OFFSET 0) AS a
        WHERE replace(a.id::text, '-', '') LIKE ${ending}) AS either LIMIT ${IDS_MAX})`;
  const idsOf = (wanted: string) => found.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
  return { runs: idsOf('run'), attempts: idsOf('attempt') };
}

function asAttempt(row: Row): Attempt {
  const result = resultOf(row);
  return {
    id: row.id,
    run_id: row.runId,
    run_agent_id: row.runAgentId,
    agent_name: row.runAgent.name,
    case_key: row.caseKey,
    ...(row.challengeKey !== null && { challenge_key: row.challengeKey }),
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
    ...(row.runAgent.kind === 'imported' && { imported: true }),
    ...(row.packError !== null && { pack_error: row.packError as PackError }),
    is_scored: row.scoreRevision !== null,
    ...(typeof result?.model_call_count === 'number' && { model_call_count: result.model_call_count }),
    tool_call_count: result?.tool_call_count ?? null,
    ...(result?.served_calls !== undefined && { served_calls: result.served_calls }),
    ...(result?.usage && { usage: result.usage }),
    ...(result !== null && { cost_usd: result.cost_usd }),
    ...(result?.cost_at_least_usd !== undefined && { cost_at_least_usd: result.cost_at_least_usd }),
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

function digitsOf(part: string): string {
  return part.replaceAll('-', '').toLowerCase();
}

function uuidOf(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
