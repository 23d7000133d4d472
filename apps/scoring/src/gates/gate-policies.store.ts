import { GatePolicySpec, type GatePolicy as StoredPolicy } from '@agentclash/contracts';
import type { GatePolicy } from '@agentclash/domain';
import { gatePolicyFingerprint } from '@agentclash/grading';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import { type GatePolicyVersion, Prisma, type GatePolicy as Row } from '../generated/client.js';

export interface PolicyList {
  workspaceId: string;
  name?: string | undefined;
  /** The last id of the page before. */
  after?: string | undefined;
  take: number;
}

const NEWEST = { versions: { orderBy: { version: 'desc' }, take: 1 } } as const;
type RowWithNewest = Row & { versions: GatePolicyVersion[] };

/** Policies and their versions. A version is only ever added. */
@Injectable()
export class GatePoliciesStore {
  constructor(private readonly db: Database) {}

  /** Undefined when the name is taken. */
  async create(workspaceId: string, policy: GatePolicy, actor: string): Promise<StoredPolicy | undefined> {
    const { name } = policy;
    const versions = { create: versionColumns(1, policy, actor) };
    return await unlessTaken(async () =>
      asPolicy(
        await this.db.gatePolicy.create({
          data: { id: newId(), workspaceId, name, versions },
          include: NEWEST,
        }),
      ),
    );
  }

  /** Adds `policy` as the version after `before`; undefined when its name is taken. */
  async revise(
    before: Pick<StoredPolicy, 'id' | 'version'>,
    policy: GatePolicy,
    actor: string,
  ): Promise<StoredPolicy | undefined> {
    const version = before.version + 1;
    const versions = { create: versionColumns(version, policy, actor) };
    const data = { name: policy.name, version, updatedAt: new Date(), versions };
    return await unlessTaken(async () =>
      asPolicy(await this.db.gatePolicy.update({ where: { id: before.id }, data, include: NEWEST })),
    );
  }

  async find(workspaceId: string, by: { id: string } | { name: string }): Promise<StoredPolicy | undefined> {
    const row = await this.db.gatePolicy.findFirst({ where: { workspaceId, ...by }, include: NEWEST });
    return row === null ? undefined : asPolicy(row);
  }

  /** Newest first. */
  async list({ workspaceId, name, after, take }: PolicyList): Promise<StoredPolicy[]> {
    const where = {
      workspaceId,
      ...(name !== undefined && { name }),
      ...(after !== undefined && { id: { lt: after } }),
    };
    const rows = await this.db.gatePolicy.findMany({ where, orderBy: { id: 'desc' }, take, include: NEWEST });
    return rows.map(asPolicy);
  }

  /** True when there was one. */
  async remove(workspaceId: string, id: string): Promise<boolean> {
    const { count } = await this.db.gatePolicy.deleteMany({ where: { workspaceId, id } });
    return count > 0;
  }
}

/** As written: reasons follow the order of the dimensions, which canonical JSON would lose. */
function versionColumns(version: number, policy: GatePolicy, createdBy: string) {
  return { version, fingerprint: gatePolicyFingerprint(policy), policy: JSON.stringify(policy), createdBy };
}

function asPolicy({ id, createdAt, updatedAt, versions: [newest] }: RowWithNewest): StoredPolicy {
  if (newest === undefined) throw new Error(`the gate policy ${id} has no version`);
  return {
    id,
    ...GatePolicySpec.parse(JSON.parse(newest.policy)),
    version: newest.version,
    fingerprint: newest.fingerprint,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

async function unlessTaken<T>(write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') return undefined;
    throw error;
  }
}
