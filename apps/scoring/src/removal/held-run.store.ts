import { ContractError } from '@agentclash/contracts';
import type { Prisma } from '../generated/client.js';

type Transaction = Prisma.TransactionClient;

/** Until the transaction ends the run cannot be released. Fails with `not_found` for a run that was. */
export async function holdRun(tx: Transaction, runId: string): Promise<void> {
  if (!(await isHeld(tx, runId))) throw deletedRun(runId);
}

/** As `holdRun`, as a yes or no. */
export async function isHeld(tx: Transaction, runId: string): Promise<boolean> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${keyOf(runId)}, 0))`;
  // A statement of its own: what the lock has waited for is visible to it.
  return (await tx.removedRun.count({ where: { runId } })) === 0;
}

/** Until the transaction ends nothing is written for the run elsewhere. */
export async function lockRun(tx: Transaction, runId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${keyOf(runId)}, 0))`;
}

export function deletedRun(runId: string): ContractError {
  return new ContractError('not_found', `The run ${runId} was deleted.`);
}

function keyOf(runId: string): string {
  return `held run ${runId}`;
}
