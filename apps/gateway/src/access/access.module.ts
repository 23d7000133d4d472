import { routes } from '@agentclash/api';
import { Inject, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { OidcModule } from '../oidc/oidc.module.js';
import { TokenExchanges } from '../oidc/token-exchanges.service.js';
import { SharesModule } from '../shares/shares.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { TokensService } from '../tokens/tokens.service.js';
import { TokensStore } from '../tokens/tokens.store.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { WorkspacesStore } from '../workspaces/workspaces.store.js';
import { AccessControl } from './access-control.js';
import { Authentication, OperatorHash } from './authentication.js';
import { RateLimits } from './rate-limits.js';
import { RunNumbers } from './run-numbers.js';

/** Creates the first workspace and an admin token of it, before the first request can arrive. */
@Injectable()
class Bootstrap implements OnModuleInit {
  constructor(
    private readonly workspaces: WorkspacesStore,
    private readonly tokens: TokensStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Safe to repeat. A token that was revoked stays revoked. */
  async onModuleInit(): Promise<void> {
    const { BOOTSTRAP_WORKSPACE: slug, BOOTSTRAP_ADMIN_TOKEN_SHA256: sha256 } = this.config;
    const created = await this.workspaces.create(slug, slug);
    const workspace = created ?? (await this.workspaces.find({ slug }));
    if (workspace === undefined || sha256 === undefined) return;
    await this.tokens.ensure({
      workspaceId: workspace.id,
      name: 'bootstrap',
      role: 'admin',
      sha256,
      createdBy: 'bootstrap',
      expiresAt: null,
    });
  }
}

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
  imports: [OidcModule, SharesModule, TokensModule, WorkspacesModule],
  controllers: [TokensController],
  providers: [
    AccessControl,
    Authentication,
    Bootstrap,
    RunNumbers,
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
