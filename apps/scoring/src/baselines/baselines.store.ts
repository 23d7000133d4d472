import type { Baseline } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import { type Baseline as EarlierRow, Prisma, type RunBaseline as Row } from '../generated/client.js';
import { holdRun, isHeld } from '../removal/held-run.store.js';

/** The scope that two runs must share to be compared by a baseline. */
export interface BaselineScope {
  packSlug: string;
  inputSetKey: string;
}

export interface BaselineKey extends BaselineScope {
  workspaceId: string;
  name: string;
}

export interface BaselineRun {
  runId: string;
  runAgentId: string | null;
  agentName: string | null;
  updatedBy: string;
}

export interface BaselineList {
  workspaceId: string;
  name?: string | undefined;
  packSlug?: string | undefined;
  inputSetKey?: string | undefined;
  /** The key of the last one of the page before. */
  after?: readonly [name: string, packSlug: string, inputSetKey: string] | undefined;
  take: number;
}

/** A baseline that an earlier release wrote, by name alone. */
export type EarlierBaseline = EarlierRow;

@Injectable()
export class BaselinesStore {
  constructor(private readonly db: Database) {}

  /**
   * Sets the baseline and returns the replaced run, or undefined without a write when that is not `replaces`. Fails
   * with `not_found` for a deleted run.
   */
  async set(
    key: BaselineKey,
    run: BaselineRun,
    replaces: string | null | undefined,
  ): Promise<{ baseline: Baseline; replacedRunId: string | null } | undefined> {
    return await this.db.$transaction(async (tx) => {
      await holdRun(tx, run.runId);
      // Serializes concurrent writes of the same baseline, so that each reads what it replaces.
      const lock = `baseline ${key.workspaceId} ${key.name} ${key.packSlug} ${key.inputSetKey}`;
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`;
      const where = { workspaceId_name_packSlug_inputSetKey: key };
      const before = await tx.runBaseline.findUnique({ where });
      const replacedRunId = before?.runId ?? null;
      if (replaces !== undefined && replaces !== replacedRunId) return undefined;
      const update = { ...run, updatedAt: new Date() };
      const row = await tx.runBaseline.upsert({ where, create: { ...key, ...run }, update });
      return { baseline: asBaseline(row), replacedRunId };
    });
  }

  /** By name, pack and input set. */
  async list({ workspaceId, name, packSlug, inputSetKey, after, take }: BaselineList): Promise<Baseline[]> {
    const rows = await this.db.runBaseline.findMany({
      where: {
        workspaceId,
        ...(name !== undefined && { name }),
        ...(packSlug !== undefined && { packSlug }),
        ...(inputSetKey !== undefined && { inputSetKey }),
        ...(after !== undefined && { OR: behind(after) }),
      },
      orderBy: [{ name: 'asc' }, { packSlug: 'asc' }, { inputSetKey: 'asc' }],
      take,
    });
    return rows.map(asBaseline);
  }

  async remove(key: BaselineKey): Promise<void> {
    await this.db.runBaseline.deleteMany({ where: key });
  }

  /** Baselines of an earlier release that changed since they were adopted, or never were. */
  async listEarlier(workspaceId: string): Promise<EarlierBaseline[]> {
    const rows = await this.db.baseline.findMany({ where: { workspaceId } });
    return rows.filter(({ adoptedAt, updatedAt }) => adoptedAt === null || adoptedAt < updatedAt);
  }

  /** Copies one to its pack and input set, unless a newer one is there; without a scope its run was deleted. */
  async adopt(earlier: EarlierBaseline, scope: BaselineScope | undefined): Promise<void> {
    const { workspaceId, name, adoptedAt: _adopted, ...run } = earlier;
    await this.db.$transaction(async (tx) => {
      if (scope !== undefined && (await isHeld(tx, earlier.runId))) {
        const key = { workspaceId, name, ...scope };
        const where = { workspaceId_name_packSlug_inputSetKey: key };
        const newer = await tx.runBaseline.findUnique({ where });
        if (newer === null || newer.updatedAt < run.updatedAt) {
          await tx.runBaseline.upsert({ where, create: { ...key, ...run }, update: run });
        }
      }
      await tx.baseline.updateMany({
        where: { workspaceId, name, updatedAt: run.updatedAt },
        data: { adoptedAt: new Date() },
      });
    });
  }
}

function behind([name, packSlug, inputSetKey]: NonNullable<
  BaselineList['after']
>): Prisma.RunBaselineWhereInput[] {
  return [
    { name: { gt: name } },
    { name, packSlug: { gt: packSlug } },
    { name, packSlug, inputSetKey: { gt: inputSetKey } },
  ];
}

function asBaseline(row: Row): Baseline {
  return {
    name: row.name,
    pack: row.packSlug,
    input_set: row.inputSetKey,
    run_id: row.runId,
    run_agent_id: row.runAgentId,
    agent_name: row.agentName,
    updated_at: row.updatedAt.toISOString(),
    updated_by: row.updatedBy,
  };
}
