import { routes } from '@agentclash/api';
import type { Asked } from '../http/asked.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { WorkspacesService } from './workspaces.service.js';

type Routes = typeof routes.workspaces;

@ServesRoutes(routes.workspaces)
export class WorkspacesController implements Serving<Routes> {
  constructor(private readonly workspaces: WorkspacesService) {}

  whoami({ caller }: Asked<Routes['whoami']>) {
    return this.workspaces.whoami(caller);
  }

  async list({ caller }: Asked<Routes['list']>) {
    return { items: await this.workspaces.list(caller), next_cursor: null };
  }

  create({ body }: Asked<Routes['create']>) {
    return this.workspaces.create(body.slug, body.name);
  }
}
