import { routes } from '@agentclash/api';
import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { ShareAccess } from './share-access.js';
import { ShareSettings, SharesService } from './shares.service.js';
import { SharesStore } from './shares.store.js';

type Routes = typeof routes.shares;

@ServesRoutes(routes.shares)
class SharesController implements Serving<Routes> {
  constructor(private readonly shares: SharesService) {}

  create({ workspace, params, caller, body }: RouteRequest<Routes['create']>) {
    const of = { workspaceId: workspace.id, runId: params.run_id };
    return this.shares.create(of, caller.name, body.expires_at);
  }

  list({ workspace, params }: RouteRequest<Routes['list']>) {
    return this.shares.list({ workspaceId: workspace.id, runId: params.run_id });
  }

  async revoke({ workspace, params }: RouteRequest<Routes['revoke']>): Promise<undefined> {
    await this.shares.revoke({ workspaceId: workspace.id, runId: params.run_id }, params.share_id);
  }
}

/** Read-only links to single runs. */
@Module({
  controllers: [SharesController],
  providers: [
    ShareAccess,
    SharesService,
    SharesStore,
    {
      provide: ShareSettings,
      inject: [CONFIG],
      useFactory: ({ SHARE_DAYS_MAX }: Config) => new ShareSettings(SHARE_DAYS_MAX),
    },
  ],
  exports: [ShareAccess],
})
export class SharesModule {}
