import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { comparisons } from '@agentclash/contracts';
import type { Asked } from '../http/asked.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.comparisons;

@ServesRoutes(routes.comparisons)
export class ComparisonsController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  compare({ workspace, query }: Asked<Routes['compare']>) {
    return this.bus.call(comparisons.compare, { workspace_id: workspace.id, ...query });
  }

  get({ workspace, params: { comparison_id } }: Asked<Routes['get']>) {
    return this.bus.call(comparisons.get, { workspace_id: workspace.id, comparison_id });
  }
}
