import { routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { providerAccounts } from '@agentclash/contracts';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { ProviderAccountsService } from './provider-accounts.service.js';

type Routes = typeof routes.providerAccounts;

@ServesRoutes(routes.providerAccounts)
export class ProviderAccountsController implements Serving<Routes> {
  constructor(
    private readonly bus: Bus,
    private readonly accounts: ProviderAccountsService,
  ) {}

  create({ workspace, caller, body }: RouteRequest<Routes['create']>) {
    return this.accounts.create({ workspaceId: workspace.id, actor: caller.name }, body);
  }

  list({ workspace, query }: RouteRequest<Routes['list']>) {
    return this.bus.call(providerAccounts.list, { workspace_id: workspace.id, ...query });
  }

  get({ workspace, params: { provider_account_id } }: RouteRequest<Routes['get']>) {
    return this.bus.call(providerAccounts.get, { workspace_id: workspace.id, provider_account_id });
  }

  update({ workspace, caller, params, body }: RouteRequest<Routes['update']>) {
    const accountId = params.provider_account_id;
    return this.accounts.update({ workspaceId: workspace.id, accountId, actor: caller.name }, body);
  }

  test({ workspace, caller, params: { provider_account_id }, body }: RouteRequest<Routes['test']>) {
    const request = { workspace_id: workspace.id, provider_account_id, actor: caller.name };
    return this.bus.call(providerAccounts.test, { ...request, ...body });
  }

  async remove({ workspace, caller, params }: RouteRequest<Routes['remove']>): Promise<undefined> {
    const accountId = params.provider_account_id;
    await this.accounts.remove({ workspaceId: workspace.id, accountId, actor: caller.name });
  }
}
