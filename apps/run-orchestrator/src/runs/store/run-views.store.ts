import {
  type CaseSubset,
  LaneVariant,
  type PackErrorOfRun,
  PinnedModelPrice,
  type Run,
  type RunAgent,
  type RunTrend,
  Uuid,
} from '@agentclash/contracts';
import { hasRunEnded, type RunStatus } from '@agentclash/domain';
import {
  type AgentCounts,
  costOf,
  failureOf,
  overallSoFar,
  progressOf,
  runAgentStatus,
} from '@agentclash/run-rules';
import type { Prisma } from '../../generated/client.js';
import type { LaneCosts } from './attempts/attempt-reads.store.js';
import { countsOf } from './run-changes.store.js';

/** Snapshots are large, and no reader of a run uses them. */
const WITHOUT_SNAPSHOT = { omit: { snapshot: true } } as const;
export const AS_READ = {
  omit: { packModels: true, ranking: true, raceBaseline: true, race: true },
  include: { agents: WITHOUT_SNAPSHOT },
} as const;
export const WITH_RACE = { ...AS_READ, omit: { ...AS_READ.omit, race: false } } as const;
export const WITH_RUN_STATUS = {
  ...WITHOUT_SNAPSHOT,
  include: { run: { select: { status: true } } },
} as const;
type ReadRow = Prisma.RunGetPayload<typeof AS_READ>;
type LatencyColumns = Pick<ReadRow['agents'][number], 'latencyAttempts' | 'latencyP50Ms' | 'latencyP95Ms'>;

/** The lanes of a deployment, by its id or its name. */
export function agentsOfDeployment(deployment: string): Prisma.RunAgentWhereInput {
  if (Uuid.safeParse(deployment).success) return { deploymentId: deployment };
  return { OR: [{ name: deployment }, { variant: { path: ['deployment'], equals: deployment } }] };
}

/** A run as readers see it. */
export function asRun(row: ReadRow): Run {
  const packErrors = row.packErrors as PackErrorOfRun[];
  const failure = failureOf(row.status as RunStatus, packErrors);
  return {
    id: row.id,
    ...(row.number !== null && { number: row.number }),
    workspace_id: row.workspaceId,
    name: row.name,
    ...(row.note !== null && { note: row.note }),
    status: row.status as RunStatus,
    challenge_pack_version_id: row.versionId,
    evaluation_spec_id: row.evaluationSpecId,
    pack: { slug: row.packSlug, name: row.packName, version_number: row.packVersionNumber },
    input_set: { id: row.inputSetId, key: row.inputSetKey },
    ...(row.isDraft && { draft: true }),
    ...(row.caseKeys !== null && { case_subset: row.caseKeys as CaseSubset }),
    repetitions: row.repetitions,
    max_concurrency: row.maxConcurrency,
    limits: row.limits as Run['limits'],
    ...(row.selectiveRetry && { selective_retry: true }),
    ...(row.imported !== null && { imported: row.imported as NonNullable<Run['imported']> }),
    ...(row.modelCalls !== null && { model_calls: row.modelCalls as NonNullable<Run['model_calls']> }),
    ...(row.replayFrom !== null && { replay_from: row.replayFrom }),
    ...(row.stopWhen !== null && { stop_when: row.stopWhen as NonNullable<Run['stop_when']> }),
    ...(row.seed !== null && { seed: Number(row.seed) }),
    ...(row.stopped !== null && { stopped: row.stopped as NonNullable<Run['stopped']> }),
    ...(row.raceStepGap !== null && { race_context: true, race_context_min_step_gap: row.raceStepGap }),
    labels: row.labels as Run['labels'],
    warnings: row.warnings as Run['warnings'],
    ...(packErrors.length > 0 && { pack_errors: packErrors }),
    ...(failure !== undefined && { failure }),
    progress: progressOf(row.agents.map(countsOf)),
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy,
    started_at: row.startedAt?.toISOString() ?? null,
    finished_at: row.finishedAt?.toISOString() ?? null,
  };
}

/** The agents of a run in a list of runs, in order, with their ranks. */
export function runAgentsOf(row: ReadRow, ranks: ReadonlyMap<string, number>): NonNullable<Run['agents']> {
  return inOrder(row.agents).map((agent) => ({ ...asContender(agent), rank: ranks.get(agent.id) ?? null }));
}

/** A completed run with the figures of these agents of it. */
export function asTrend(row: ReadRow): RunTrend {
  const { id, number, name, pack, input_set, selective_retry, model_calls, created_at } = asRun(row);
  return {
    ...{ id, number, name, pack, input_set, selective_retry, model_calls, created_at },
    is_subset: row.caseKeys !== null,
    agents: inOrder(row.agents).map((agent) => ({
      ...asContender(agent),
      finished: progressOf([countsOf(agent)]).finished,
      ...latencyOf(agent),
    })),
  };
}

function inOrder(agents: ReadRow['agents']): ReadRow['agents'] {
  return [...agents].sort((a, b) => a.ordinal - b.ordinal);
}

function asContender(agent: ReadRow['agents'][number]) {
  const counts: AgentCounts = countsOf(agent);
  return {
    id: agent.id,
    deployment_id: agent.deploymentId,
    name: agent.name,
    judged: counts.judged,
    passed: counts.passed,
    overall_so_far: overallSoFar(counts),
    ...costOf(counts),
  };
}

/** The percentiles of a lane of a run that has ended; none where no time is known. */
function latencyOf(row: LatencyColumns): Pick<RunAgent, 'latency'> {
  const { latencyAttempts: attempts, latencyP50Ms: p50_ms, latencyP95Ms: p95_ms } = row;
  return p50_ms === null || p95_ms === null ? {} : { latency: { p50_ms, p95_ms, attempts } };
}

export type AgentRow = Prisma.RunAgentGetPayload<typeof WITH_RUN_STATUS>;

/** A run agent as readers see it. */
export function asAgent(row: AgentRow, costs?: LaneCosts): RunAgent {
  const counts: AgentCounts = countsOf(row);
  return {
    id: row.id,
    run_id: row.runId,
    deployment_id: row.deploymentId,
    deployment_revision: row.deploymentRevision,
    name: row.name,
    ...(row.variant !== null && { variant: LaneVariant.parse(row.variant) }),
    kind: row.kind,
    ...(row.prices !== null && { prices: PinnedModelPrice.array().parse(row.prices) }),
    status: runAgentStatus(counts, row.run.status as RunStatus),
    progress: progressOf([counts]),
    overall_so_far: overallSoFar(counts),
    // A retry makes those of before obsolete.
    ...(hasRunEnded(row.run.status as RunStatus) && latencyOf(row)),
    tally: {
      judged: counts.judged,
      graded: counts.graded,
      tokens: counts.tokens,
      ...costOf(counts),
      ...(costs && { known_costs: costs.known }),
      ...(costs && costs.notRun > 0 && { not_run: costs.notRun }),
    },
  };
}
