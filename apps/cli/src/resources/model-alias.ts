import { ModelAliasSpec, routes } from '@agentclash/api';
import { resourceKind } from './kind.js';

const API = routes.modelAliases;

export const modelAlias = resourceKind({
  name: 'model_alias',
  noun: 'model alias',
  spec: ModelAliasSpec,
  links: [{ written: 'provider_account', member: 'provider_account_id', to: 'provider_account' }],
  list: (client, query) => client.call(API.list, { query }),
  get: (client, id) => client.call(API.get, { params: { model_alias_id: id } }),
  create: (client, body) => client.call(API.create, { body }),
  update: (client, id, body) => client.call(API.update, { params: { model_alias_id: id }, body }),
  remove: (client, id) => client.call(API.remove, { params: { model_alias_id: id } }),
  columns: [{ title: 'MODEL', value: ({ model }) => model }],
  empty: 'No model aliases. agentclash model-alias create -f <file>',
});
