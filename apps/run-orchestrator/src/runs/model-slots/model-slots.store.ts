import { MAX_CONCURRENCY_DEFAULT } from '@agentclash/contracts';
import {
  type AccountState,
  type AdaptiveLimit,
  allocateSlots,
  type Release,
  type SlotAllocation,
} from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database.js';
import type { Prisma } from '../../generated/client.js';

/** A call that requests a slot, or still waits for one. */
export interface SlotRequest {
  slotId: string;
  accountId: string;
  runId: string;
  owner: string;
}

export interface AllocationRequest {
  accountId: string;
  requests: readonly SlotRequest[];
  releases: readonly Release[];
  leaseMs: number;
}

interface StateRow {
  state: AdaptiveLimit | null;
  max: number | null;
  slots:
    | { id: string; runId: string; owner: string; requestedAtMs: number; heldSinceMs: number | null }[]
    | null;
  turns: { runId: string; servedAtMs: number }[] | null;
}

/** A run unserved for this long is as good as new. */
const TURN_KEPT = '1 hour';

@Injectable()
export class ModelSlotsStore {
  constructor(private readonly db: Database) {}

  /** Releases and grants slots of one account, serialized over all instances. Returns the ids that are held now. */
  async allocate({
    accountId,
    requests,
    releases,
    leaseMs,
  }: AllocationRequest): Promise<ReadonlySet<string>> {
    return await this.db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`model-slots/${accountId}`}, 0))`;
      const now = new Date();
      await enqueue(tx, requests, { now, leaseUntil: new Date(now.getTime() + leaseMs) });
      const state = await readState(tx, accountId, now);
      const round = allocateSlots(state, releases, now.getTime());
      await write(tx, round, { accountId, state, now, leaseUntil: new Date(now.getTime() + leaseMs) });
      const given = new Set(round.released);
      const held = state.slots.filter(({ id, heldSinceMs }) => heldSinceMs !== null && !given.has(id));
      return new Set([...held, ...round.granted].map(({ id }) => id));
    });
  }

  /**
   * The sum of the limits of the accounts that were used lately, and the numbers of calls that hold a slot and wait for
   * one.
   */
  async figures(): Promise<{ limits: number; held: number; waiting: number }> {
    const [figures] = await this.db.$queryRaw<{ limits: number; held: number; waiting: number }[]>`
      SELECT (SELECT coalesce(sum((state->>'limit')::int), 0)::int FROM model_limits
               WHERE updated_at > now() - interval '1 hour') AS limits,
             (count(held_since))::int AS held,
             (count(*) - count(held_since))::int AS waiting
        FROM model_slots WHERE lease_until > now()`;
    return figures ?? { limits: 0, held: 0, waiting: 0 };
  }

  async renew(owner: string, ids: string[], leaseUntil: Date): Promise<string[]> {
    const rows = await this.db.$queryRaw<{ id: string }[]>`
      UPDATE model_slots SET lease_until = ${leaseUntil}::timestamptz
       WHERE owner = ${owner} AND id = ANY(${ids}::uuid[]) AND lease_until > now() AND held_since IS NOT NULL
      RETURNING id`;
    return rows.map(({ id }) => id);
  }

  /** True when there are slots of calls whose executor is lost; a request for the same account drops them at once. */
  async hasExpiredSlots(now: Date): Promise<boolean> {
    const where = { leaseUntil: { lte: now } };
    return (await this.db.modelSlot.findFirst({ where, select: { id: true } })) !== null;
  }

  async dropExpiredSlots(now: Date): Promise<void> {
    await this.db.modelSlot.deleteMany({ where: { leaseUntil: { lte: now } } });
  }
}

/** A repeated request keeps its queue position, and its slot if one was granted meanwhile. */
async function enqueue(
  tx: Transaction,
  requests: readonly SlotRequest[],
  { now, leaseUntil }: { now: Date; leaseUntil: Date },
): Promise<void> {
  if (requests.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO model_slots (id, account_id, run_id, owner, asked_at, lease_until)
    SELECT call.id, call.account_id, call.run_id, call.owner, ${now}::timestamptz, ${leaseUntil}::timestamptz
      FROM unnest(
        ${requests.map(({ slotId }) => slotId)}::uuid[], ${requests.map(({ accountId }) => accountId)}::uuid[],
        ${requests.map(({ runId }) => runId)}::uuid[], ${requests.map(({ owner }) => owner)}::text[]
      ) AS call(id, account_id, run_id, owner)
    ON CONFLICT (id) DO UPDATE SET lease_until = EXCLUDED.lease_until
      WHERE model_slots.owner = EXCLUDED.owner`;
}

async function readState(tx: Transaction, accountId: string, now: Date): Promise<AccountState> {
  await tx.$executeRaw`
    DELETE FROM model_slots WHERE account_id = ${accountId}::uuid AND lease_until <= ${now}::timestamptz`;
  await tx.$executeRaw`
    DELETE FROM model_turns
     WHERE account_id = ${accountId}::uuid AND served_at < ${now}::timestamptz - ${TURN_KEPT}::interval`;
  const [row] = await tx.$queryRaw<StateRow[]>`
    SELECT
      (SELECT state FROM model_limits WHERE account_id = ${accountId}::uuid) AS state,
      (SELECT (spec->'limits'->>'max_concurrency')::int FROM provider_accounts WHERE id = ${accountId}::uuid) AS max,
      (SELECT json_agg(json_build_object('id', id, 'runId', run_id, 'owner', owner,
          'requestedAtMs', extract(epoch FROM asked_at) * 1000, 'heldSinceMs', extract(epoch FROM held_since) * 1000))
        FROM model_slots WHERE account_id = ${accountId}::uuid) AS slots,
      (SELECT json_agg(json_build_object('runId', run_id, 'servedAtMs', extract(epoch FROM served_at) * 1000))
        FROM model_turns WHERE account_id = ${accountId}::uuid) AS turns`;
  return {
    limit: row?.state ?? null,
    max: row?.max ?? MAX_CONCURRENCY_DEFAULT,
    slots: row?.slots ?? [],
    servedAtMs: new Map((row?.turns ?? []).map(({ runId, servedAtMs }) => [runId, servedAtMs])),
  };
}

async function write(
  tx: Transaction,
  { limit, released, granted }: SlotAllocation,
  at: { accountId: string; state: AccountState; now: Date; leaseUntil: Date },
): Promise<void> {
  const { accountId, state, now, leaseUntil } = at;
  if (released.length > 0) await tx.modelSlot.deleteMany({ where: { id: { in: released } } });
  if (granted.length > 0) {
    const ids = granted.map(({ id }) => id);
    await tx.modelSlot.updateMany({ where: { id: { in: ids } }, data: { heldSince: now, leaseUntil } });
    const runIds = [...new Set(granted.map(({ runId }) => runId))];
    await tx.$executeRaw`
      INSERT INTO model_turns (account_id, run_id, served_at)
      SELECT ${accountId}::uuid, run_id, ${now}::timestamptz FROM unnest(${runIds}::uuid[]) AS run_id
      ON CONFLICT (account_id, run_id) DO UPDATE SET served_at = EXCLUDED.served_at`;
  }
  if (limit !== state.limit) {
    const data = { state: { ...limit } satisfies Prisma.InputJsonObject, updatedAt: now };
    await tx.modelLimit.upsert({ where: { accountId }, create: { accountId, ...data }, update: data });
  }
}
