import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { vaultKeys } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';

type Routes = typeof routes.vaultKeys;

@ServesRoutes(routes.vaultKeys)
export class VaultKeysController implements Serving<Routes> {
  constructor(private readonly bus: Bus) {}

  status() {
    return this.bus.call(vaultKeys.status, {});
  }

  rotate({ caller }: RouteRequest<Routes['rotate']>) {
    return this.bus.call(vaultKeys.rotate, { actor: caller.name });
  }

  retire({ caller, params }: RouteRequest<Routes['retire']>) {
    return this.bus.call(vaultKeys.retire, { key_id: params.key, actor: caller.name });
  }
}
