import { isMetered } from '@agentclash/run-rules';
import type { Prisma } from '../../generated/client.js';
import type { NewRun, NewRunAgent } from './runs.store.js';

/** The columns of a new run. */
export function runColumns(run: NewRun): Prisma.RunCreateInput {
  return {
    id: run.id,
    workspaceId: run.workspaceId,
    requestId: run.requestId,
    name: run.name,
    versionId: run.versionId,
    evaluationSpecId: run.evaluationSpecId,
    executionMode: run.executionMode,
    packSlug: run.pack.slug,
    packName: run.pack.name,
    packVersionNumber: run.pack.version_number,
    inputSetId: run.inputSet.id,
    inputSetKey: run.inputSet.key,
    isDraft: run.isDraft,
    repetitions: run.repetitions,
    maxConcurrency: run.maxConcurrency,
    limits: run.limits as Prisma.InputJsonObject,
    raceStepGap: run.raceStepGap,
    modelCalls: run.modelCalls,
    replayFrom: run.replayFrom,
    ...(run.imported && { imported: run.imported }),
    seed: run.seed,
    ...(run.stopWhen && { stopWhen: run.stopWhen }),
    ...(run.raceBaseline && { raceBaseline: run.raceBaseline }),
    packModels: run.packModels as object as Prisma.InputJsonObject,
    labels: run.labels,
    ...(run.caseSubset && { caseKeys: run.caseSubset }),
    warnings: run.warnings,
    createdBy: run.createdBy,
  };
}

/** The columns of a new run agent. */
export function agentColumns(run: NewRun, { id, snapshot, prices }: NewRunAgent, ordinal: number) {
  return {
    id,
    runId: run.id,
    ordinal,
    deploymentId: snapshot.deployment_id,
    deploymentRevision: snapshot.revision,
    name: snapshot.name,
    ...(snapshot.variant && { variant: snapshot.variant }),
    kind: snapshot.kind,
    snapshot: snapshot as object as Prisma.InputJsonObject,
    prices,
    queued: run.caseKeys.length * run.repetitions,
    unpriced: snapshot.kind === 'imported' || isMetered(snapshot) ? 0 : 1,
  };
}
