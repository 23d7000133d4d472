import { Applied, ProviderAccount, ProviderAccountRequest, providerAccounts } from '@agentclash/contracts';
import { queryOf } from '../list-query.js';
import { resourceRoutes } from './resource.js';

export const providerAccountRoutes = resourceRoutes({
  path: 'provider-accounts',
  id: 'provider_account_id',
  writer: 'admin',
  spec: ProviderAccountRequest,
  resource: ProviderAccount,
  changed: ProviderAccount.extend({ applied: Applied }),
  query: queryOf(providerAccounts.list.input, 'workspace_id'),
  list: providerAccounts.list.output,
  says: {
    create:
      'Make a provider account: how models of one provider are reached; an api_key becomes a secret of its own',
    list: 'Provider accounts, newest first; never their keys',
    get: 'One provider account; never its key',
    update: 'Replace a provider account; an api_key replaces the stored one',
    remove: 'Delete a provider account that nothing uses, with the key stored for it',
  },
});
