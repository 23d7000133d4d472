import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { packs } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { PacksService, type Sender } from './packs.service.js';

type Routes = typeof routes.packs;

@ServesRoutes(routes.packs)
export class PacksController implements Serving<Routes> {
  constructor(
    private readonly bus: Bus,
    private readonly packs: PacksService,
  ) {}

  validate(request: RouteRequest<Routes['validate']>) {
    return this.packs.validate(senderOf(request), request.body);
  }

  publish(request: RouteRequest<Routes['publish']>) {
    return this.packs.publish(senderOf(request), request.body);
  }

  list({ workspace, query }: RouteRequest<Routes['list']>) {
    return this.bus.call(packs.list, { workspace_id: workspace.id, ...query });
  }

  get({ workspace, params }: RouteRequest<Routes['get']>) {
    return this.bus.call(packs.get, { workspace_id: workspace.id, pack: params.pack });
  }
}

function senderOf({ http, workspace, caller, query }: Omit<RouteRequest<Routes['publish']>, 'body'>): Sender {
  return { request: http, workspaceId: workspace.id, caller, strict: query.strict };
}
