import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { modelAliases } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.modelAliases;

@ServesRoutes(routes.modelAliases)
export class ModelAliasesController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  create({ workspace, caller, body }: RouteRequest<Routes['create']>) {
    return this.bus.call(modelAliases.create, { workspace_id: workspace.id, spec: body, actor: caller.name });
  }

  list({ workspace, query }: RouteRequest<Routes['list']>) {
    return this.bus.call(modelAliases.list, { workspace_id: workspace.id, ...query });
  }

  get({ workspace, params: { model_alias_id } }: RouteRequest<Routes['get']>) {
    return this.bus.call(modelAliases.get, { workspace_id: workspace.id, model_alias_id });
  }

  async update({ workspace, caller, params, body }: RouteRequest<Routes['update']>) {
    const { applied, model_alias } = await this.bus.call(modelAliases.update, {
      workspace_id: workspace.id,
      model_alias_id: params.model_alias_id,
      spec: body,
      actor: caller.name,
    });
    return { ...model_alias, applied };
  }

  async remove({
    workspace,
    params: { model_alias_id },
  }: RouteRequest<Routes['remove']>): Promise<undefined> {
    await this.bus.call(modelAliases.remove, { workspace_id: workspace.id, model_alias_id });
  }
}
