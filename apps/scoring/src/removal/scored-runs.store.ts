import { Handles, type Serves } from '@agentclash/bus';
import { ContractError, type In, type Out, scoredRuns } from '@agentclash/contracts';
import { Database } from '../database.js';
import type { Prisma } from '../generated/client.js';
import { lockRun } from './held-run.store.js';

/** More baselines than this are not listed in an error. */
const BASELINES_MAX = 10;

/** Deletes the stored rows of runs. */
@Handles(scoredRuns)
export class ScoredRunsStore implements Serves<typeof scoredRuns> {
  constructor(private readonly db: Database) {}

  /** Rejects all further writes for the run. Fails with `conflict` while a baseline or a rescore needs it. */
  async release({
    workspace_id: workspaceId,
    run_id: runId,
  }: In<typeof scoredRuns.release>): Promise<Out<typeof scoredRuns.release>> {
    await this.db.$transaction(async (tx) => {
      await lockRun(tx, runId);
      if ((await tx.removedRun.count({ where: { runId } })) > 0) return;
      await checkBaselines(tx, runId);
      await checkRescores(tx, runId);
      await tx.removedRun.create({ data: { runId, workspaceId } });
    });
    return {};
  }

  /** Deletes the rows of the attempts and of the run as a whole; returns their number. */
  async purge({
    run_id: runId,
    attempt_ids: attemptIds,
  }: In<typeof scoredRuns.purge>): Promise<Out<typeof scoredRuns.purge>> {
    return await this.db.$transaction(async (tx) => {
      if ((await tx.removedRun.count({ where: { runId } })) === 0)
        throw new ContractError('conflict', `The run ${runId} was not released: its scorecards are kept.`);
      const ofAttempts = { where: { attemptId: { in: attemptIds } } };
      const removed = [
        await tx.attemptScorecard.deleteMany({ where: { runId, ...ofAttempts.where } }),
        await tx.judgeSample.deleteMany(ofAttempts),
        await tx.judgingClaim.deleteMany(ofAttempts),
        await tx.runAgentScorecard.deleteMany({ where: { runId } }),
        await tx.ranking.deleteMany({ where: { runId } }),
        await tx.failureCluster.deleteMany({ where: { runId } }),
        await tx.rescore.deleteMany({ where: { runId } }),
        await tx.review.deleteMany({ where: { item: { runId } } }),
        await tx.reviewItem.deleteMany({ where: { runId } }),
        await tx.reviewQueue.deleteMany({ where: { runId } }),
      ];
      return { rows: removed.reduce((sum, { count }) => sum + count, 0) };
    });
  }
}

async function checkBaselines(tx: Prisma.TransactionClient, runId: string): Promise<void> {
  const rows = await tx.runBaseline.findMany({
    where: { runId },
    orderBy: [{ name: 'asc' }, { packSlug: 'asc' }, { inputSetKey: 'asc' }],
    take: BASELINES_MAX,
  });
  // Baselines of an earlier release that were not adopted yet.
  const earlier = await tx.baseline.findMany({ where: { runId, adoptedAt: null }, take: BASELINES_MAX });
  const baselines = [
    ...rows.map(({ name, packSlug, inputSetKey }) => ({ name, pack: packSlug, input_set: inputSetKey })),
    ...earlier.map(({ name }) => ({ name })),
  ];
  const [first] = baselines;
  if (first === undefined) return;
  const names = [...new Set(baselines.map(({ name }) => `"${name}"`))].join(', ');
  throw new ContractError(
    'conflict',
    `The run ${runId} is the baseline ${names}: move or clear it first. See: agentclash baseline clear ${first.name}`,
    { baselines },
  );
}

async function checkRescores(tx: Prisma.TransactionClient, runId: string): Promise<void> {
  if ((await tx.rescore.count({ where: { runId, state: 'pending' } })) === 0) return;
  throw new ContractError('conflict', `The run ${runId} is being scored again: delete it when it is done.`);
}
