import { ContractError } from '@agentclash/contracts';
import type { Transaction } from '../database.js';

/** Of the advisory lock that whoever wraps shares, and whoever retires a key has alone. */
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

/** Waits for everybody who is wrapping, and keeps others from it until the transaction ends. */
export async function lockKeys(tx: Transaction): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`;
}
