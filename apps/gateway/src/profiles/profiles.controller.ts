import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { profiles } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.profiles;

@ServesRoutes(routes.profiles)
export class ProfilesController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  create({ workspace, body }: RouteRequest<Routes['create']>) {
    return this.bus.call(profiles.create, { workspace_id: workspace.id, spec: body });
  }

  list({ workspace, query }: RouteRequest<Routes['list']>) {
    return this.bus.call(profiles.list, { workspace_id: workspace.id, ...query });
  }

  get({ workspace, params }: RouteRequest<Routes['get']>) {
    return this.bus.call(profiles.get, { workspace_id: workspace.id, profile_id: params.profile_id });
  }

  async update({ workspace, params, body }: RouteRequest<Routes['update']>) {
    const { applied, profile } = await this.bus.call(profiles.update, {
      workspace_id: workspace.id,
      profile_id: params.profile_id,
      spec: body,
    });
    return { ...profile, applied };
  }

  async remove({ workspace, params }: RouteRequest<Routes['remove']>): Promise<undefined> {
    await this.bus.call(profiles.remove, { workspace_id: workspace.id, profile_id: params.profile_id });
  }
}
