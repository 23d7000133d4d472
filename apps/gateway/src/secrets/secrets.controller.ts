import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { vault } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.secrets;

@ServesRoutes(routes.secrets)
export class SecretsController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  list({ workspace }: RouteRequest<Routes['list']>) {
    return this.bus.call(vault.list, { workspace_id: workspace.id });
  }

  async set({ workspace, caller, params, body }: RouteRequest<Routes['set']>): Promise<undefined> {
    await this.bus.call(vault.set, {
      workspace_id: workspace.id,
      key: params.key,
      value_base64: Buffer.from(body.value).toString('base64'),
      hosts: body.hosts,
      any: body.any,
      actor: caller.name,
    });
  }

  async remove({ workspace, caller, params }: RouteRequest<Routes['remove']>): Promise<undefined> {
    await this.bus.call(vault.remove, { workspace_id: workspace.id, key: params.key, actor: caller.name });
  }

  audit({ workspace, query }: RouteRequest<Routes['audit']>) {
    return this.bus.call(vault.audit, { workspace_id: workspace.id, ...query });
  }
}
