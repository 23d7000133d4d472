import { routes } from '@agentclash/api';
import type { Asked } from '../http/asked.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { TokenExchanges } from '../oidc/token-exchanges.service.js';
import { TokensService } from './tokens.service.js';

type Routes = typeof routes.tokens;

@ServesRoutes(routes.tokens)
export class TokensController implements Serving<Routes> {
  constructor(
    private readonly tokens: TokensService,
    private readonly exchanges: TokenExchanges,
  ) {}

  exchange({ body }: Asked<Routes['exchange']>) {
    return this.exchanges.exchange(body.subject_token, body.workspace);
  }

  list({ workspace, query }: Asked<Routes['list']>) {
    return this.tokens.list(workspace.id, query.limit, query.cursor);
  }

  create({ workspace, caller, body }: Asked<Routes['create']>) {
    const { name, role, expires_at: expiresAt } = body;
    return this.tokens.create({ workspace, name, role, expiresAt, actor: caller.name });
  }

  get({ workspace, params }: Asked<Routes['get']>) {
    return this.tokens.get(workspace.id, params.token_id);
  }

  async revoke({ workspace, params }: Asked<Routes['revoke']>): Promise<undefined> {
    await this.tokens.revoke(workspace.id, params.token_id);
  }
}
