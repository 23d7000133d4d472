import { ContractError } from '@agentclash/contracts';
import type { Transaction } from '../database.js';

/** Id of the advisory lock: shared while a key wraps, exclusive while a key is retired. */
const LOCK = 7_229_421;

/**
 * Holds off retirement until the transaction ends. Fails with `unavailable` when the key was retired: another instance
 * has newer keys.
 */
export async function assertMayWrap(tx: Transaction, masterKeyId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${LOCK}::bigint)`;
  if ((await tx.retiredKey.findUnique({ where: { id: masterKeyId } })) === null) return;
  throw new ContractError('unavailable', 'The master key was retired; newer keys are on their way.');
}

/** Waits for all transactions that wrap, and blocks new ones until this transaction ends. */
export async function lockKeys(tx: Transaction): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`;
}
