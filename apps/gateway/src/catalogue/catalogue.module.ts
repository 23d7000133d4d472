import { routes } from '@agentclash/api';
import { deployments, modelAliases, prices, profiles, providerAccounts, tools } from '@agentclash/contracts';
import { Module } from '@nestjs/common';
import { type Forwards, forward, scope, scopeAndActor, scopeAndSpec } from '../http/forward.js';
import type { RouteRequest } from '../http/route-request.js';
import { controllerOf, ServesRoutes, type Serving } from '../http/serves-routes.js';
import { ProviderAccountsService } from './provider-accounts.service.js';

const ModelAliasesController = controllerOf(routes.modelAliases, {
  create: forward(modelAliases.create, scopeAndSpec),
  list: forward(modelAliases.list, scope),
  get: forward(modelAliases.get, scope),
  update: forward(modelAliases.update, scopeAndSpec, ({ model_alias, applied }) => ({
    ...model_alias,
    applied,
  })),
  remove: forward(modelAliases.remove, scope),
});

const PricesController = controllerOf(routes.prices, { list: forward(prices.list, scope) });

const ProfilesController = controllerOf(routes.profiles, {
  create: forward(profiles.create, scopeAndSpec),
  list: forward(profiles.list, scope),
  get: forward(profiles.get, scope),
  update: forward(profiles.update, scopeAndSpec, ({ profile, applied }) => ({ ...profile, applied })),
  remove: forward(profiles.remove, scope),
});

const ToolsController = controllerOf(routes.tools, {
  create: forward(tools.create, scopeAndSpec),
  list: forward(tools.list, scope),
  get: forward(tools.get, scope),
  update: forward(tools.update, scopeAndSpec, ({ tool, applied }) => ({ ...tool, applied })),
  remove: forward(tools.remove, scope),
});

const DeploymentsController = controllerOf(routes.deployments, {
  create: forward(deployments.create, scopeAndSpec),
  list: forward(deployments.list, scope),
  get: forward(deployments.get, scope),
  update: forward(deployments.update, scopeAndSpec, ({ deployment, applied }) => ({
    ...deployment,
    applied,
  })),
  archive: forward(deployments.archive, scope),
});

type Routes = typeof routes.providerAccounts;

const ACCOUNT_FORWARDS = {
  list: forward(providerAccounts.list, scope),
  get: forward(providerAccounts.get, scope),
  test: forward(providerAccounts.test, (request) => ({ ...scopeAndActor(request), ...request.body })),
} satisfies Forwards<Routes>;

/** Writes pass through the service, which stores the accounts' own keys. */
@ServesRoutes(routes.providerAccounts, ACCOUNT_FORWARDS)
class ProviderAccountsController implements Serving<Routes, typeof ACCOUNT_FORWARDS> {
  constructor(private readonly accounts: ProviderAccountsService) {}

  create({ workspace, caller, body }: RouteRequest<Routes['create']>) {
    return this.accounts.create({ workspaceId: workspace.id, actor: caller.name }, body);
  }

  update({ workspace, caller, params, body }: RouteRequest<Routes['update']>) {
    const accountId = params.provider_account_id;
    return this.accounts.update({ workspaceId: workspace.id, accountId, actor: caller.name }, body);
  }

  async remove({ workspace, caller, params }: RouteRequest<Routes['remove']>): Promise<undefined> {
    const accountId = params.provider_account_id;
    await this.accounts.remove({ workspaceId: workspace.id, accountId, actor: caller.name });
  }
}

/** The resources of runs: model providers, profiles, tools and deployments. */
@Module({
  controllers: [
    ProviderAccountsController,
    ModelAliasesController,
    PricesController,
    ProfilesController,
    ToolsController,
    DeploymentsController,
  ],
  providers: [ProviderAccountsService],
})
export class CatalogueModule {}
