import { ProviderAccountSpec, routes } from '@agentclash/api';
import { resourceKind } from './kind.js';

const API = routes.providerAccounts;

export const providerAccount = resourceKind({
  name: 'provider_account',
  noun: 'provider account',
  spec: ProviderAccountSpec,
  links: [],
  list: (client, query) => client.call(API.list, { query }),
  get: (client, id) => client.call(API.get, { params: { provider_account_id: id } }),
  create: (client, body) => client.call(API.create, { body }),
  update: (client, id, body) => client.call(API.update, { params: { provider_account_id: id }, body }),
  remove: (client, id) => client.call(API.remove, { params: { provider_account_id: id } }),
  // A key that was typed in is in no file: a file that names no credential does not mean to drop it.
  keep: (body, { credential_reference: stored }) =>
    body.credential_reference === undefined && stored?.startsWith('workspace-secret://PROVIDER_ACCOUNT_')
      ? { ...body, credential_reference: stored }
      : body,
  columns: [
    { title: 'PROVIDER', value: ({ provider_key }) => provider_key },
    { title: 'URL', value: ({ base_url }) => base_url ?? '' },
    { title: 'CREDENTIAL', value: ({ credential_reference }) => credential_reference ?? 'none' },
  ],
  empty: 'No provider accounts. agentclash provider-account create --name <name> --provider <provider>',
});
