import {
  type CaseSubset,
  type Out,
  type PinnedModelPrice,
  type Race,
  type Run,
  type RunAgent,
  type RunBudget,
  runNumberOf,
  type runs,
  type StopWhen,
} from '@agentclash/contracts';
import { hasRunEnded, type ModelCallMode, RANKED_STATUSES, type RunStatus } from '@agentclash/domain';
import type { AgentSnapshot, PackModels, RunPins } from '@agentclash/run-rules';
import { literally } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { constraintViolationOf, Database, type Transaction } from '../../database.js';
import { Prisma } from '../../generated/client.js';
import { budgetView, callLimitsOf } from '../state/call-budget.js';
import { factOf, type PublicFact } from '../state/event-draft.js';
import { STALE_AT_ONCE } from './attempts/attempt-conditions.store.js';
import { AttemptReads, idsBeginning } from './attempts/attempt-reads.store.js';
import { AttemptWrites } from './attempts/attempt-writes.store.js';
import { RunBudgetsStore } from './run-budgets.store.js';
import { agentColumns, runColumns } from './run-columns.store.js';
import { nextRunNumber } from './run-descriptions.store.js';
import {
  type AgentRow,
  AS_READ,
  agentsOfDeployment,
  asAgent,
  asRun,
  runAgentsOf,
  WITH_RACE,
  WITH_RUN_STATUS,
} from './run-views.store.js';

/** Few events follow the end of a run: those of scores that come late. */
const EVENTS_SINCE_END = 1_000;

/** A lane whose attempts were run elsewhere. */
type ImportedLane = Pick<AgentSnapshot, 'deployment_id' | 'revision' | 'name' | 'variant'> & {
  kind: 'imported';
};

/** A deployment that takes part in a run that is to be written. */
export interface NewRunAgent {
  id: string;
  snapshot: AgentSnapshot | ImportedLane;
  prices: PinnedModelPrice[];
}

/** A run that was admitted and is to be written. */
export interface NewRun {
  id: string;
  requestId: string | null;
  workspaceId: string;
  name: string | null;
  versionId: string;
  evaluationSpecId: string;
  executionMode: string;
  pack: Run['pack'];
  inputSet: Run['input_set'];
  /** Of a draft of a pack. */
  isDraft: boolean;
  repetitions: number;
  maxConcurrency: number | null;
  limits: object;
  raceStepGap: number | null;
  /** Null: live. */
  modelCalls: RunPins['modelCalls'];
  replayFrom: string | null;
  /** Absent: its attempts are run here. */
  imported?: NonNullable<Run['imported']>;
  /** Null: the order of the pack. */
  seed: number | null;
  stopWhen: StopWhen | null;
  /** Values of the baseline's cases in the drawn order; only with the goal `baseline`. */
  raceBaseline: (number | null)[] | null;
  packModels: PackModels;
  labels: Record<string, string>;
  warnings: Run['warnings'];
  createdBy: string;
  agents: NewRunAgent[];
  /** In the order of work. */
  caseKeys: string[];
  /** The challenges of the cases, by case. */
  challenges: ReadonlyMap<string, string>;
  /** Undefined when these are all cases of the input set. */
  caseSubset: CaseSubset | undefined;
}

/** A run as a replay needs it. */
export interface RecordedRun {
  status: RunStatus;
  packSlug: string;
  modelCalls: string | null;
  hasRaceContext: boolean;
  repetitions: number;
  /** Run agents by `laneKey`. */
  lanes: Map<string, string>;
}

/** Names a lane by its deployment and variant, in every run. */
export function laneKey(deploymentId: string, variant: NewRunAgent['snapshot']['variant'] | null): string {
  return JSON.stringify([deploymentId, variant?.name ?? null]);
}

export interface RunList {
  workspaceId: string;
  status?: RunStatus | undefined;
  pack?: string | undefined;
  /** Id or name. */
  deployment?: string | undefined;
  label?: string | undefined;
  modelCalls?: ModelCallMode | undefined;
  /** Part of the run's name or its pack's. */
  q?: string | undefined;
  after?: string | undefined;
  take: number;
}

@Injectable()
export class RunsStore {
  constructor(
    private readonly db: Database,
    private readonly attempts: AttemptWrites,
    private readonly attemptReads: AttemptReads,
    private readonly budgets: RunBudgetsStore,
  ) {}

  /** Writes the run, its agents and all its attempts, or nothing. False: another run has the request's id. */
  async create(run: NewRun): Promise<boolean> {
    try {
      await this.write(run);
      return true;
    } catch (error) {
      if (run.requestId !== null && constraintViolationOf(error) === 'duplicate') return false;
      throw error;
    }
  }

  /** The run that was made for a request. */
  async findByRequest(workspaceId: string, requestId: string): Promise<string | undefined> {
    const where = { workspaceId_requestId: { workspaceId, requestId } };
    return (await this.db.run.findUnique({ where, select: { id: true } }))?.id;
  }

  private async write(run: NewRun): Promise<void> {
    // Not in the transaction of a large run: others of the workspace would wait for its end.
    const number = run.isDraft ? null : await nextRunNumber(this.db, run.workspaceId);
    await this.db.$transaction(
      async (tx) => {
        const total = run.agents.length * run.caseKeys.length * run.repetitions;
        await tx.run.create({ data: { ...runColumns(run), number, unfinished: total, unscored: total } });
        const agents = run.agents.map((agent, ordinal) => agentColumns(run, agent, ordinal));
        await tx.runAgent.createMany({ data: agents });
        const { id: runId, caseKeys, challenges, repetitions } = run;
        const cases = caseKeys.map((case_key) => ({
          case_key,
          challenge_key: challenges.get(case_key) ?? '',
        }));
        const agentIds = agents.map(({ id }) => id);
        // A case is evidence once all of its repetitions are over.
        const isByCase = run.stopWhen !== null;
        await this.attempts.insert(tx, { runId, agentIds, cases, repetitions, isByCase });
        await this.budgets.create(tx, runId, run.stopWhen);
      },
      { timeout: 60_000 },
    );
  }

  /** Adds what was found out after the run was created; once for each code. */
  async warn(tx: Transaction, id: string, warning: Run['warnings'][number]): Promise<void> {
    await tx.$executeRaw`
      UPDATE runs
         SET warnings = (SELECT json_agg(each)
                           FROM (SELECT json_array_elements(warnings) AS each
                                 UNION ALL SELECT ${JSON.stringify(warning)}::json) AS all_of_them)
       WHERE id = ${id}::uuid
         AND NOT EXISTS (SELECT FROM json_array_elements(warnings) AS known WHERE known->>'code' = ${warning.code})`;
  }

  async find(workspaceId: string, id: string): Promise<Run | undefined> {
    const row = await this.db.run.findFirst({ ...WITH_RACE, where: { workspaceId, id } });
    if (row === null) return undefined;
    const race = row.race as Run['race'] | null;
    const run = asRun(row);
    const budget = await this.budgetOf(id, row.stopWhen as StopWhen | null);
    return {
      ...run,
      ...(race && { race: hasRunEnded(run.status) ? endedRace(race) : race }),
      ...(budget && { budget }),
    };
  }

  private async budgetOf(id: string, stopWhen: StopWhen | null): Promise<RunBudget | undefined> {
    const { budget } = stopWhen ?? {};
    if (budget === undefined) return undefined;
    const attempts = budget.attempts === undefined ? 0 : await this.attemptReads.countDispatched(this.db, id);
    const calls = callLimitsOf(stopWhen) && (await this.budgets.find(id));
    return budgetView(stopWhen, { calls, attempts });
  }

  async list(filters: RunList): Promise<Run[]> {
    const { workspaceId, status, pack, deployment, label, modelCalls, q, after, take } = filters;
    const rows = await this.db.run.findMany({
      ...AS_READ,
      where: {
        workspaceId,
        isDraft: false,
        ...(status !== undefined && { status }),
        ...(pack !== undefined && { packSlug: pack }),
        ...(deployment !== undefined && { agents: { some: agentsOfDeployment(deployment) } }),
        ...(label !== undefined && { labels: labelFilter(label) }),
        ...(modelCalls !== undefined && { modelCalls: modelCalls === 'live' ? null : modelCalls }),
        ...(q !== undefined && { OR: searchFilter(q) }),
        ...(after !== undefined && { id: { lt: after } }),
      },
      orderBy: { id: 'desc' },
      take,
    });
    const ranks = await this.ranksOf(rows.map(({ id }) => id));
    return rows.map((row) => ({ ...withFewCaseKeys(asRun(row)), agents: runAgentsOf(row, ranks) }));
  }

  /** Of the ranked runs, by run agent. */
  private async ranksOf(runIds: string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.db.$queryRaw<{ agentId: string; rank: number | null }[]>`
      SELECT entry->>'run_agent_id' AS "agentId", (entry->>'rank')::int AS rank
        FROM runs, json_array_elements(CASE json_typeof(ranking) WHEN 'array' THEN ranking ELSE '[]' END) AS entry
       WHERE id = ANY(${runIds}::uuid[])`;
    return new Map(rows.flatMap(({ agentId, rank }) => (rank === null ? [] : [[agentId, rank] as const])));
  }

  async findAgent(workspaceId: string, id: string): Promise<RunAgent | undefined> {
    const row = await this.db.runAgent.findFirst({
      ...WITH_RUN_STATUS,
      where: { id, run: { workspaceId } },
    });
    return row ? (await this.withFigures([row]))[0] : undefined;
  }

  /** With the position up to which they count the run's events; undefined when there is no such run. */
  async findAgents(workspaceId: string, runId: string): Promise<Out<typeof runs.agents> | undefined> {
    const agents = { ...WITH_RUN_STATUS, where: { runId }, orderBy: { ordinal: 'asc' } } as const;
    const [run, rows] = await this.db.$transaction(
      [
        this.db.run.findFirst({ where: { workspaceId, id: runId }, select: { eventPosition: true } }),
        this.db.runAgent.findMany(agents),
      ],
      // Figures and position are of one moment.
      { isolationLevel: 'RepeatableRead' },
    );
    if (run === null) return undefined;
    return { items: await this.withFigures(rows), position: run.eventPosition };
  }

  private async withFigures(rows: readonly AgentRow[]): Promise<RunAgent[]> {
    const costs = await this.attemptReads.laneCosts(rows);
    return rows.map((row) => asAgent(row, costs.get(row.id)));
  }

  /** The last entry of the history of a run that is over, unless it is on record as published. */
  async findUnannouncedEnd(runId: string): Promise<PublicFact | undefined> {
    const run = await this.db.run.findFirst({
      where: { id: runId, announcedAt: null, finishedAt: { not: null } },
    });
    const end = (of: Prisma.EventWhereInput) =>
      this.db.event.findFirst({
        where: { ...of, runId, eventType: 'run.completed' },
        orderBy: { position: 'desc' },
      });
    // Without a bound the planner reads all events of the run.
    const row =
      run && ((await end({ position: { gt: run.eventPosition - EVENTS_SINCE_END } })) ?? (await end({})));
    return row ? factOf({ ...row, occurredAt: row.occurredAt.toISOString() }, run.workspaceId) : undefined;
  }

  /** Runs that have ended without that being noted as published. */
  async unannouncedRuns(): Promise<string[]> {
    const where = { finishedAt: { not: null }, announcedAt: null };
    return (await this.db.run.findMany({ where, select: { id: true }, take: STALE_AT_ONCE })).map(
      ({ id }) => id,
    );
  }

  /** Ranked runs whose requested ranking did not arrive. */
  async unscoredRuns(now: Date): Promise<string[]> {
    const where = { status: { in: [...RANKED_STATUSES] }, scoreDueAt: { lt: now } };
    return (await this.db.run.findMany({ where, select: { id: true }, take: STALE_AT_ONCE })).map(
      ({ id }) => id,
    );
  }

  /** Records that this end was published; not when the run was resumed since. */
  async noteAnnounced(id: string, finishedAt: Date): Promise<void> {
    const where = { id, finishedAt, announcedAt: null };
    await this.db.run.updateMany({ where, data: { announcedAt: new Date() } });
  }

  async findStatusAndPack(workspaceId: string, id: string) {
    const select = { status: true, packSlug: true };
    const run = await this.db.run.findFirst({ where: { workspaceId, id }, select });
    return run === null ? undefined : { status: run.status as RunStatus, packSlug: run.packSlug };
  }

  async findRecorded(workspaceId: string, id: string): Promise<RecordedRun | undefined> {
    const run = await this.db.run.findFirst({
      where: { workspaceId, id },
      select: {
        status: true,
        packSlug: true,
        modelCalls: true,
        raceStepGap: true,
        repetitions: true,
        agents: { select: { id: true, deploymentId: true, variant: true } },
      },
    });
    if (run === null) return undefined;
    const { status, packSlug, modelCalls, raceStepGap, repetitions, agents } = run;
    return {
      status: status as RunStatus,
      packSlug,
      modelCalls,
      hasRaceContext: raceStepGap !== null,
      repetitions,
      lanes: new Map(
        agents.map(({ id, deploymentId, variant }) => [
          laneKey(deploymentId, variant as NewRunAgent['snapshot']['variant'] | null),
          id,
        ]),
      ),
    };
  }

  /** The position of a run's history. */
  async findPosition(workspaceId: string, id: string) {
    const select = { eventPosition: true, finishedAt: true };
    return await this.db.run.findFirst({ where: { workspaceId, id }, select });
  }
}

/** A list of runs holds many: of a large subset each names the first cases. */
const CASES_NAMED_IN_LIST = 100;

function withFewCaseKeys({ case_subset: subset, ...run }: Run): Run {
  if (subset === undefined) return run;
  const omitted = subset.case_keys.length - CASES_NAMED_IN_LIST;
  if (omitted <= 0) return { ...run, case_subset: subset };
  const case_keys = subset.case_keys.slice(0, CASES_NAMED_IN_LIST);
  return { ...run, case_subset: { ...subset, case_keys, omitted } };
}

/** `key` or `key=value`. */
function labelFilter(label: string): Prisma.JsonFilter<'Run'> {
  const at = label.indexOf('=');
  return at < 0
    ? { path: [label], string_starts_with: '' }
    : { path: [label.slice(0, at)], equals: label.slice(at + 1) };
}

/** A number, the beginning of an id, or a part of a name. */
function searchFilter(text: string): Prisma.RunWhereInput[] {
  const number = runNumberOf(text);
  if (number !== undefined && text.startsWith('#')) return [{ number }];
  const holds = { contains: literally(text), mode: 'insensitive' } as const;
  return [
    { name: holds },
    { packSlug: holds },
    { packName: holds },
    ...(number === undefined ? [] : [{ number }]),
    ...(ID_BEGINNING.test(text) ? [{ id: idsBeginning(text) }] : []),
  ];
}

/** With the digits that lists of other tools show. */
const ID_BEGINNING = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i;

/** A race whose run has ended: a budget or a cancellation left the open pairs without a verdict. */
function endedRace({ pairs, ...race }: Race): Race {
  return { ...race, pairs: pairs.map((pair) => ({ ...pair, verdict: pair.verdict ?? 'undecided' })) };
}
