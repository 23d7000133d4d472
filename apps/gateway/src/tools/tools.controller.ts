import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { tools } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.tools;

@ServesRoutes(routes.tools)
export class ToolsController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  create({ workspace, caller, body }: RouteRequest<Routes['create']>) {
    return this.bus.call(tools.create, { workspace_id: workspace.id, spec: body, actor: caller.name });
  }

  list({ workspace, query }: RouteRequest<Routes['list']>) {
    return this.bus.call(tools.list, { workspace_id: workspace.id, ...query });
  }

  get({ workspace, params: { tool_id } }: RouteRequest<Routes['get']>) {
    return this.bus.call(tools.get, { workspace_id: workspace.id, tool_id });
  }

  async update({ workspace, caller, params, body }: RouteRequest<Routes['update']>) {
    const { applied, tool } = await this.bus.call(tools.update, {
      workspace_id: workspace.id,
      tool_id: params.tool_id,
      spec: body,
      actor: caller.name,
    });
    return { ...tool, applied };
  }

  async remove({ workspace, params: { tool_id } }: RouteRequest<Routes['remove']>): Promise<undefined> {
    await this.bus.call(tools.remove, { workspace_id: workspace.id, tool_id });
  }
}
