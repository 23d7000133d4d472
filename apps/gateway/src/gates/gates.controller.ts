import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { gates } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.gates;

@ServesRoutes(routes.gates)
export class GatesController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  evaluate({ workspace, caller, body }: RouteRequest<Routes['evaluate']>) {
    return this.bus.call(gates.evaluate, { workspace_id: workspace.id, request: body, actor: caller.name });
  }

  preview({ workspace, body }: RouteRequest<Routes['preview']>) {
    return this.bus.call(gates.preview, { workspace_id: workspace.id, request: body });
  }

  list({ workspace, query }: RouteRequest<Routes['list']>) {
    return this.bus.call(gates.list, { workspace_id: workspace.id, ...query });
  }
}
