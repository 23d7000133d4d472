import { isDeepStrictEqual } from 'node:util';
import { Handles, type Serves } from '@agentclash/bus';
import { ContractError, type In, type Out, type Tool, type ToolSpec, tools } from '@agentclash/contracts';
import { delegatorsOf, toolProblems } from '@agentclash/run-rules';
import { refuseInUse, refuseInvalid, USERS_SHOWN } from '../resources/resource-errors.js';
import { WorkspaceResource } from '../resources/workspace-resource.js';
import { SchemaChecks } from '../schemas/schema-checks.js';
import { ToolsStore, type ToolsTransaction } from './tools.store.js';

/** A tool is checked against all others: more would make each change slow. */
const TOOLS_MAX = 1_000;

@Handles(tools)
export class ToolsService
  extends WorkspaceResource<'tool', Tool, ToolsStore>
  implements Serves<typeof tools>
{
  constructor(
    store: ToolsStore,
    private readonly schemas: SchemaChecks,
  ) {
    super({ key: 'tool', noun: 'tool' }, store);
  }

  async create({ workspace_id, spec, actor }: In<typeof tools.create>): Promise<Tool> {
    const schemaProblem = await this.schemaProblem(workspace_id, spec);
    const create = async (stored: ToolsTransaction) => {
      const others = await stored.all();
      if (others.length >= TOOLS_MAX) {
        throw new ContractError('conflict', `A workspace has at most ${TOOLS_MAX} tools: delete some first.`);
      }
      refuseInvalid('The tool', toolProblems(spec, others, schemaProblem));
      return await stored.create(spec, actor);
    };
    return await this.named(spec.name, () => this.store.change(workspace_id, create));
  }

  async update(request: In<typeof tools.update>): Promise<Out<typeof tools.update>> {
    const { workspace_id, tool_id, spec, actor } = request;
    const schemaProblem = await this.schemaProblem(workspace_id, spec);
    const update = async (stored: ToolsTransaction): Promise<Out<typeof tools.update>> => {
      const all = await stored.all();
      const tool = all.find(({ id }) => id === tool_id);
      if (!tool) return this.unknown(tool_id);
      const { id, created_at, updated_at, ...before } = tool;
      if (isDeepStrictEqual(before, spec)) return { applied: 'unchanged', tool };
      const users = delegatorsOf(tool.name, all);
      if (spec.name !== tool.name) {
        refuseInUse(`The name of the tool "${tool.name}"`, { tools: users.slice(0, USERS_SHOWN) });
      }
      const others = all.filter((other) => other.id !== id);
      refuseInvalid('The tool', toolProblems(spec, others, schemaProblem));
      return { applied: 'revised', tool: await stored.replace(id, spec, actor) };
    };
    return await this.named(spec.name, () => this.store.change(workspace_id, update));
  }

  /** Outside of the transaction, which holds a lock of the workspace. */
  private async schemaProblem(workspaceId: string, { definition }: ToolSpec): Promise<string | null> {
    const { parameters } = definition;
    return parameters ? await this.schemas.problemOf(workspaceId, 'parameters', parameters) : null;
  }

  protected override filterOf({ lifecycle_status: lifecycleStatus }: In<typeof tools.list>): object {
    return lifecycleStatus === undefined ? {} : { lifecycleStatus };
  }

  async remove({ workspace_id, tool_id }: In<typeof tools.remove>): Promise<Record<string, never>> {
    await this.store.change(workspace_id, async (stored) => {
      const all = await stored.all();
      const tool = all.find(({ id }) => id === tool_id) ?? this.unknown(tool_id);
      refuseInUse(`The tool "${tool.name}"`, {
        deployments: await stored.attachedBy(tool_id),
        tools: delegatorsOf(tool.name, all).slice(0, USERS_SHOWN),
      });
      await stored.remove(tool_id);
    });
    return {};
  }
}
