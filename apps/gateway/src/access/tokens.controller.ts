import { routes } from '@agentclash/api';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { TokenExchanges } from '../oidc/token-exchanges.service.js';
import { TokensService } from '../tokens/tokens.service.js';

type Routes = typeof routes.tokens;

@ServesRoutes(routes.tokens)
export class TokensController implements Serving<Routes> {
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
