import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { baselines } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.baselines;

@ServesRoutes(routes.baselines)
export class BaselinesController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  list({ workspace, query }: RouteRequest<Routes['list']>) {
    return this.bus.call(baselines.list, { workspace_id: workspace.id, ...query });
  }

  get({ workspace, params: { name }, query }: RouteRequest<Routes['get']>) {
    return this.bus.call(baselines.get, { workspace_id: workspace.id, name, ...query });
  }

  set({ workspace, caller, params: { name }, body }: RouteRequest<Routes['set']>) {
    const actor = caller.name;
    return this.bus.call(baselines.set, { workspace_id: workspace.id, name, spec: body, actor });
  }

  async remove({ workspace, params: { name }, query }: RouteRequest<Routes['remove']>): Promise<undefined> {
    await this.bus.call(baselines.remove, { workspace_id: workspace.id, name, ...query });
  }
}
