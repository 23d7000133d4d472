import { type ModelAlias, type ProviderAccount, routes, type SecretMetadata } from '@agentclash/api';
import { AT, id, page } from './fixtures.js';
import { server } from './open-app.js';

export const ACCOUNT: ProviderAccount = {
  ...{ id: id(20), name: 'main', provider_key: 'anthropic', created_at: AT, updated_at: AT },
  credential_reference: 'workspace-secret://MAIN_KEY',
};

export const ALIAS: ModelAlias = {
  ...{ id: id(21), name: 'fast', provider_account_id: ACCOUNT.id, model: 'haiku' },
  ...{ created_at: AT, updated_at: AT },
};

const SECRET: SecretMetadata = {
  ...{ key: 'MAIN_KEY', hosts: ['api.anthropic.com'], version: 1, last_used_at: null },
  ...{ created_at: AT, updated_at: AT, created_by: 'laptop', updated_by: 'laptop' },
};

/** Serves the lists from which fields of forms are chosen: an account, an alias of it, and the secret of its key. */
export function serveChoices(): void {
  server.on(routes.modelAliases.list, page([ALIAS]));
  server.on(routes.providerAccounts.list, page([ACCOUNT]));
  server.on(routes.profiles.list, page([]));
  server.on(routes.secrets.list, { items: [SECRET] });
}
