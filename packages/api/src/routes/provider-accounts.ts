import {
  Applied,
  ModelAliasSpec,
  ProviderAccount,
  ProviderAccountRequest,
  providerAccounts,
} from '@agentclash/contracts';
import { z } from 'zod';
import { queryOf } from '../list-query.js';
import { route } from '../route.js';
import { resourceRoutes } from './resource.js';

const resource = resourceRoutes({
  path: 'provider-accounts',
  id: 'provider_account_id',
  writer: 'admin',
  spec: ProviderAccountRequest,
  resource: ProviderAccount,
  changed: ProviderAccount.extend({ applied: Applied }),
  query: queryOf(providerAccounts.list.input, 'workspace_id'),
  list: providerAccounts.list.output,
  isReferredTo: true,
  summaries: {
    create:
      'Create a provider account: how models of one provider are reached; an api_key becomes a secret of its own',
    list: 'Provider accounts, newest first; never their keys',
    get: 'One provider account; never its key',
    update: 'Replace a provider account; an api_key replaces the stored one',
    remove: 'Delete a provider account that nothing uses, with the key stored for it',
  },
});

export const providerAccountRoutes = {
  ...resource,
  test: route({
    method: 'POST',
    path: '/v1/workspaces/{ws}/provider-accounts/{provider_account_id}/test',
    access: 'admin',
    summary:
      'Call a model of the account once, within 20 s: the given one, else that of its oldest alias. 200 also when the ' +
      'call fails: `ok` is false then, and `error` names the class of the failure',
    body: z.strictObject({ model: ModelAliasSpec.shape.model.optional() }),
    response: providerAccounts.test.output,
    status: 200,
  }),
};
