import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { comparisons } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.comparisons;

@ServesRoutes(routes.comparisons)
export class ComparisonsController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  compare({ workspace, query }: RouteRequest<Routes['compare']>) {
    return this.bus.call(comparisons.compare, { workspace_id: workspace.id, ...query });
  }

  get({ workspace, params: { comparison_id } }: RouteRequest<Routes['get']>) {
    return this.bus.call(comparisons.get, { workspace_id: workspace.id, comparison_id });
  }
}
