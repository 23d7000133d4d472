import { Module } from '@nestjs/common';
import { ArtifactUsersStore } from './deployments/artifact-users.store.js';
import { DeploymentReferences, ReferencedStores } from './deployments/deployment-references.js';
import { DeploymentSecrets, DeploymentsService } from './deployments/deployments.service.js';
import { DeploymentsStore } from './deployments/deployments.store.js';
import { AccountTests } from './models/account-tests.service.js';
import { AccountTestsStore } from './models/account-tests.store.js';
import { ModelAliasesService } from './models/model-aliases.service.js';
import { ModelAliasesStore } from './models/model-aliases.store.js';
import { PricesService } from './models/prices.service.js';
import { ProviderAccountsService } from './models/provider-accounts.service.js';
import { ProviderAccountsStore } from './models/provider-accounts.store.js';
import { ProfilesService } from './profiles/profiles.service.js';
import { ProfilesStore } from './profiles/profiles.store.js';
import { UnboundSecrets } from './resources/unbound-secrets.source.js';
import { SchemaChecks } from './schemas/schema-checks.js';
import { ToolsService } from './tools/tools.service.js';
import { ToolsStore } from './tools/tools.store.js';

const CATALOGUE_HANDLERS = [
  ArtifactUsersStore,
  DeploymentsService,
  ModelAliasesService,
  PricesService,
  ProfilesService,
  ProviderAccountsService,
  ToolsService,
];

/** The exports of the catalogue for runs. */
const EXPORTED = [
  AccountTestsStore,
  DeploymentsStore,
  ModelAliasesStore,
  ProfilesStore,
  ProviderAccountsStore,
  ToolsStore,
];

/** Deployments and what they refer to: tools, profiles, model aliases, provider accounts. */
@Module({
  controllers: CATALOGUE_HANDLERS,
  providers: [
    ...EXPORTED,
    AccountTests,
    DeploymentReferences,
    DeploymentSecrets,
    ReferencedStores,
    SchemaChecks,
    UnboundSecrets,
  ],
  exports: EXPORTED,
})
export class CatalogueModule {}
