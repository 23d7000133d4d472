import { ContractError } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database.js';
import type { KeyRing } from '../key-ring.js';
import { rewrap, type WrappedKey } from './envelope.js';
import type { KeyNeeds } from './key-states.js';

/** A slice of the secrets, by id. */
interface Slice {
  after: string | undefined;
  take: number;
}

interface Rewrapped {
  changed: number;
  /** Ids of secrets whose data key does not open: altered rows. */
  broken: string[];
  /** The position to continue from; undefined at the end. */
  last: string | undefined;
}

const WRAPPED = { workspaceId: true, key: true, version: true, masterKeyId: true, wrappedKey: true } as const;

/** Which master keys the stored secrets need, and their data keys. */
@Injectable()
export class KeysStore {
  constructor(private readonly db: Database) {}

  async needs(): Promise<KeyNeeds> {
    const [samples, retiredIds] = await Promise.all([
      this.db.$queryRaw<WrappedKey[]>`
        SELECT DISTINCT ON (master_key_id) workspace_id AS "workspaceId", key, version,
               master_key_id AS "masterKeyId", wrapped_key AS "wrappedKey"
          FROM secrets ORDER BY master_key_id`,
      this.retiredIds(),
    ]);
    return { samples, retiredIds };
  }

  async retiredIds(): Promise<string[]> {
    return (await this.db.retiredKey.findMany({ select: { id: true } })).map(({ id }) => id);
  }

  /** How many secrets each master key wraps. */
  async counts(): Promise<Map<string, number>> {
    const groups = await this.db.secret.groupBy({ by: ['masterKeyId'], _count: true });
    return new Map(groups.map((group) => [group.masterKeyId, group._count]));
  }

  /** Puts secrets of the ring's other keys under its active one; a secret that was set meanwhile is left alone. */
  async rewrapSome(ring: KeyRing, { after, take }: Slice): Promise<Rewrapped> {
    return await this.db.$transaction(async (tx) => {
      await assertMayWrap(tx, ring.activeId);
      const rows = await tx.secret.findMany({
        where: { masterKeyId: { in: ring.otherIds }, ...(after !== undefined && { id: { gt: after } }) },
        select: { id: true, ...WRAPPED },
        orderBy: { id: 'asc' },
        take,
      });
      const broken: string[] = [];
      let changed = 0;
      for (const row of rows) {
        const count = await rewrapRow(tx, row, ring);
        if (count === undefined) broken.push(row.id);
        else changed += count;
      }
      return { changed, broken, last: rows.length === take ? rows.at(-1)?.id : undefined };
    });
  }

  /** Retires a key that no secret needs. Returns how many still do; then nothing was written. */
  async retire(id: string, actor: string): Promise<number> {
    return await this.db.$transaction(async (tx) => {
      await lockKeys(tx);
      const needed = await tx.secret.count({ where: { masterKeyId: id } });
      if (needed === 0) {
        await tx.retiredKey.createMany({ data: [{ id, retiredBy: actor }], skipDuplicates: true });
      }
      return needed;
    });
  }
}

/** How many rows changed; nothing when the data key does not open. */
async function rewrapRow(
  tx: Transaction,
  row: WrappedKey & { id: string },
  ring: KeyRing,
): Promise<number | undefined> {
  const { id, version, masterKeyId } = row;
  let data: ReturnType<typeof rewrap>;
  try {
    data = rewrap(row, ring);
  } catch {
    return undefined;
  }
  const { count } = await tx.secret.updateMany({ where: { id, version, masterKeyId }, data });
  return count;
}

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
async function lockKeys(tx: Transaction): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`;
}
