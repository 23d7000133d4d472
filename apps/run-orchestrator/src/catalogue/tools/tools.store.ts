import { type Tool, ToolDefinition, type ToolSpec } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import type { Prisma, Tool as Row } from '../../generated/client.js';
import { activeDeployments, ResourceStore } from '../resources/workspace-resource.store.js';

/** Operations on the tools of a workspace while its lock is held. */
export interface ToolsTransaction {
  /** Every tool of the workspace. */
  all(): Promise<Tool[]>;
  create(spec: ToolSpec, actor: string): Promise<Tool>;
  replace(id: string, spec: ToolSpec, actor: string): Promise<Tool>;
  /** Names of the active deployments that attached the tool. */
  attachedBy(id: string): Promise<string[]>;
  remove(id: string): Promise<void>;
}

@Injectable()
export class ToolsStore extends ResourceStore<Row, Tool> {
  /** The checks of a tool depend on all others, so changes of one workspace's tools follow one another. */
  async change<T>(workspaceId: string, work: (tools: ToolsTransaction) => Promise<T>): Promise<T> {
    return await this.db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`tools/${workspaceId}`}, 0))`;
      return await work(toolsOf(tx, workspaceId));
    });
  }

  async all(workspaceId: string): Promise<Tool[]> {
    return await allOf(this.db, workspaceId);
  }

  protected rows(db: Transaction) {
    return db.tool;
  }

  protected asItem(row: Row): Tool {
    return asTool(row);
  }
}

function toolsOf(tx: Transaction, workspaceId: string): ToolsTransaction {
  return {
    all: () => allOf(tx, workspaceId),
    async create(spec, actor) {
      const data = { id: newId(), workspaceId, ...columns(spec), createdBy: actor, updatedBy: actor };
      return asTool(await tx.tool.create({ data }));
    },
    async replace(id, spec, actor) {
      const data = { ...columns(spec), updatedAt: new Date(), updatedBy: actor };
      return asTool(await tx.tool.update({ where: { id }, data }));
    },
    async attachedBy(id) {
      // A deployment that attaches the tool waits for this lock.
      await tx.$queryRaw`SELECT 1 FROM tools WHERE id = ${id}::uuid FOR UPDATE`;
      return await activeDeployments(tx, { tools: { some: { toolId: id } } });
    },
    async remove(id) {
      await tx.tool.deleteMany({ where: { id } });
    },
  };
}

async function allOf(db: Pick<Transaction, 'tool'>, workspaceId: string): Promise<Tool[]> {
  return (await db.tool.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } })).map(asTool);
}

function columns({ name, lifecycle_status, ...spec }: ToolSpec) {
  return { name, lifecycleStatus: lifecycle_status, spec: spec as Prisma.InputJsonObject };
}

function asTool(row: Row): Tool {
  const { tool_kind, capability_key, definition } = row.spec as Omit<ToolSpec, 'name' | 'lifecycle_status'>;
  return {
    id: row.id,
    name: row.name,
    tool_kind,
    ...(capability_key !== undefined && { capability_key }),
    definition: ToolDefinition.parse(definition),
    lifecycle_status: row.lifecycleStatus as Tool['lifecycle_status'],
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
