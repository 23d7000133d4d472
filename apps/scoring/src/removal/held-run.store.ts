import { ContractError } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Prisma } from '../generated/client.js';

type Transaction = Prisma.TransactionClient;

/** Runs whose scorecards are deleted or will be. */
@Injectable()
export class RemovedRuns {
  constructor(private readonly db: Database) {}

  /** Fails with `not_found` when one of the runs was released. */
  async check(runIds: string[]): Promise<void> {
    const found = await this.db.removedRun.findFirst({ where: { runId: { in: runIds } } });
    if (found !== null) throw deletedRun(found.runId);
  }
}

/** Blocks the release of the run until the transaction ends. Fails with `not_found` for a released run. */
export async function holdRun(tx: Transaction, runId: string): Promise<void> {
  if (!(await isHeld(tx, runId))) throw deletedRun(runId);
}

/** As `holdRun`; false for a released run. */
export async function isHeld(tx: Transaction, runId: string): Promise<boolean> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${keyOf(runId)}, 0))`;
  // A separate statement: it sees what was committed while the lock was awaited.
  return (await tx.removedRun.count({ where: { runId } })) === 0;
}

/** Blocks all other writes for the run until the transaction ends. */
export async function lockRun(tx: Transaction, runId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${keyOf(runId)}, 0))`;
}

function deletedRun(runId: string): ContractError {
  return new ContractError('not_found', `The run ${runId} was deleted.`);
}

function keyOf(runId: string): string {
  return `held run ${runId}`;
}
