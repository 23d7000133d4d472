import { isDeepStrictEqual } from 'node:util';
import { Handles, type Serves } from '@agentclash/bus';
import { ContractError, type In, type Out, type Tool, type ToolSpec, tools } from '@agentclash/contracts';
import { cutPage, readIdCursor } from '../../page-cursor.js';
import { inUse, refuseInUse, USERS_SHOWN } from '../resources/in-use.js';
import { refuseInvalid } from '../resources/problems.js';
import { NAME_TAKEN, nameTaken } from '../resources/unique-name.js';
import { SchemaChecks } from '../schemas/schema-checks.js';
import { delegatorsOf, toolProblems } from './tool-rules.js';
import { ToolsStore } from './tools.store.js';

/** A tool is checked against all others: more would make each change slow. */
const TOOLS_MAX = 1_000;

@Handles(tools)
export class ToolsService implements Serves<typeof tools> {
  constructor(
    private readonly store: ToolsStore,
    private readonly schemas: SchemaChecks,
  ) {}

  async create({ workspace_id, spec, actor }: In<typeof tools.create>): Promise<Tool> {
    const schemaProblem = await this.schemaProblem(workspace_id, spec);
    const created = await this.store.change(workspace_id, async (stored) => {
      const others = await stored.all();
      if (others.length >= TOOLS_MAX) {
        throw new ContractError('conflict', `A workspace has at most ${TOOLS_MAX} tools: delete some first.`);
      }
      refuseInvalid('The tool', toolProblems(spec, others, schemaProblem));
      return await stored.create(spec, actor);
    });
    return created === NAME_TAKEN ? nameTaken('a tool', spec.name) : created;
  }

  async update(request: In<typeof tools.update>): Promise<Out<typeof tools.update>> {
    const { workspace_id, tool_id, spec, actor } = request;
    const schemaProblem = await this.schemaProblem(workspace_id, spec);
    const updated = await this.store.change(
      workspace_id,
      async (stored): Promise<Out<typeof tools.update>> => {
        const all = await stored.all();
        const tool = all.find(({ id }) => id === tool_id);
        if (!tool) return unknownTool(tool_id);
        const { id, created_at, updated_at, ...before } = tool;
        if (isDeepStrictEqual(before, spec)) return { applied: 'unchanged', tool };
        const users = delegatorsOf(tool.name, all);
        if (spec.name !== tool.name && users.length > 0) {
          return inUse(`The name of the tool "${tool.name}"`, { tools: users.slice(0, USERS_SHOWN) });
        }
        const others = all.filter((other) => other.id !== id);
        refuseInvalid('The tool', toolProblems(spec, others, schemaProblem));
        return { applied: 'revised', tool: await stored.replace(id, spec, actor) };
      },
    );
    return updated === NAME_TAKEN ? nameTaken('a tool', spec.name) : updated;
  }

  /** Outside of the transaction, which holds a lock of the workspace. */
  private async schemaProblem(workspaceId: string, { definition }: ToolSpec): Promise<string | null> {
    const { parameters } = definition;
    return parameters ? await this.schemas.problemOf(workspaceId, 'parameters', parameters) : null;
  }

  /** Newest first. */
  async list(request: In<typeof tools.list>): Promise<Out<typeof tools.list>> {
    const { workspace_id: workspaceId, name, lifecycle_status: lifecycleStatus, limit, cursor } = request;
    const slice = { workspaceId, name, after: readIdCursor(cursor), take: limit + 1 };
    return cutPage(await this.store.list({ ...slice, lifecycleStatus }), limit, (tool) => tool.id);
  }

  async get({ workspace_id, tool_id }: In<typeof tools.get>): Promise<Tool> {
    return (await this.store.find(workspace_id, tool_id)) ?? unknownTool(tool_id);
  }

  async remove({ workspace_id, tool_id }: In<typeof tools.remove>): Promise<Record<string, never>> {
    await this.store.change(workspace_id, async (stored) => {
      const all = await stored.all();
      const tool = all.find(({ id }) => id === tool_id) ?? unknownTool(tool_id);
      refuseInUse(`The tool "${tool.name}"`, {
        deployments: await stored.attachedBy(tool_id),
        tools: delegatorsOf(tool.name, all).slice(0, USERS_SHOWN),
      });
      await stored.remove(tool_id);
    });
    return {};
  }
}

function unknownTool(id: string): never {
  throw new ContractError('not_found', `There is no tool ${id}.`);
}
