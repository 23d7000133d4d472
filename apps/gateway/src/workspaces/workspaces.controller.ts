import { routes } from '@agentclash/api';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { WorkspacesService } from './workspaces.service.js';

type Routes = typeof routes.workspaces;

@ServesRoutes(routes.workspaces)
export class WorkspacesController implements Serving<Routes> {
  constructor(private readonly workspaces: WorkspacesService) {}

  whoami({ caller }: RouteRequest<Routes['whoami']>) {
    return this.workspaces.whoami(caller);
  }

  async list({ caller }: RouteRequest<Routes['list']>) {
    return { items: await this.workspaces.list(caller), next_cursor: null };
  }

  create({ body }: RouteRequest<Routes['create']>) {
    return this.workspaces.create(body.slug, body.name);
  }
}
