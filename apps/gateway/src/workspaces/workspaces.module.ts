import { routes } from '@agentclash/api';
import { Module } from '@nestjs/common';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { WorkspacesService } from './workspaces.service.js';
import { WorkspacesStore } from './workspaces.store.js';

type Routes = typeof routes.workspaces;

@ServesRoutes(routes.workspaces)
class WorkspacesController implements Serving<Routes> {
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

@Module({
  controllers: [WorkspacesController],
  providers: [WorkspacesService, WorkspacesStore],
  exports: [WorkspacesService, WorkspacesStore],
})
export class WorkspacesModule {}
