import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { artifacts, storage } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.storage;

/** Which service sweeps an area of stored bytes. */
const SWEEPS = { evidence: storage.sweep, artifacts: artifacts.sweep };

@ServesRoutes(routes.storage)
export class StorageController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  usage({ workspace }: RouteRequest<Routes['usage']>) {
    return this.bus.call(storage.usage, { workspace_id: workspace.id });
  }

  configure({ workspace, caller, body }: RouteRequest<Routes['configure']>) {
    const actor = caller.name;
    return this.bus.call(storage.configure, { workspace_id: workspace.id, settings: body, actor });
  }

  sweep({ body: { area, ...step } }: RouteRequest<Routes['sweep']>) {
    return this.bus.call(SWEEPS[area], step);
  }
}
