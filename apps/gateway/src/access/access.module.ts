import { routes } from '@agentclash/api';
import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { OidcModule } from '../oidc/oidc.module.js';
import { TokenExchanges } from '../oidc/token-exchanges.service.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { TokensService } from '../tokens/tokens.service.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AccessControl } from './access-control.js';
import { Authentication, OperatorHash } from './authentication.js';
import { Bootstrap } from './bootstrap.js';
import { RateLimits } from './rate-limits.js';

type Routes = typeof routes.tokens;

@ServesRoutes(routes.tokens)
class TokensController implements Serving<Routes> {
  constructor(
    private readonly tokens: TokensService,
    private readonly exchanges: TokenExchanges,
  ) {}

  exchange({ body }: RouteRequest<Routes['exchange']>) {
    return this.exchanges.exchange(body.subject_token, body.workspace);
  }

  list({ workspace, query }: RouteRequest<Routes['list']>) {
    return this.tokens.list(workspace.id, query.limit, query.cursor);
  }

  create({ workspace, caller, body }: RouteRequest<Routes['create']>) {
    const { name, role, expires_at: expiresAt } = body;
    return this.tokens.create({ workspace, name, role, expiresAt, actor: caller.name });
  }

  get({ workspace, params }: RouteRequest<Routes['get']>) {
    return this.tokens.get(workspace.id, params.token_id);
  }

  async revoke({ workspace, params }: RouteRequest<Routes['revoke']>): Promise<undefined> {
    await this.tokens.revoke(workspace.id, params.token_id);
  }
}

/** Authentication, authorization and rate limits. */
@Module({
  imports: [OidcModule, TokensModule, WorkspacesModule],
  controllers: [TokensController],
  providers: [
    AccessControl,
    Authentication,
    Bootstrap,
    {
      provide: OperatorHash,
      inject: [CONFIG],
      useFactory: ({ OPERATOR_TOKEN_SHA256 }: Config) => new OperatorHash(OPERATOR_TOKEN_SHA256),
    },
    { provide: RateLimits, inject: [CONFIG], useFactory: (config: Config) => new RateLimits(config) },
  ],
  exports: [AccessControl],
})
export class AccessModule {}
