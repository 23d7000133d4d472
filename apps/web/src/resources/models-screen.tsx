import {
  type ModelAlias,
  ModelAliasSpec,
  type ProviderAccount,
  ProviderAccountRequest,
  routes,
} from '@agentclash/api';
import type { z } from 'zod';
import { usePages } from '../data/use-pages.js';
import { NOTHING } from '../design/format.js';
import { Page } from '../design/page.js';
import type { ResourceKind } from './form/resource-kind.js';
import { ACCOUNT_FIELDS, ALIAS_FIELDS } from './model-fields.js';
import { ResourceSection } from './resource-screen.js';
import { TestButton } from './test-button.js';

const ACCOUNTS: ResourceKind<ProviderAccount, z.output<typeof ProviderAccountRequest>> = {
  plural: 'provider accounts',
  singular: 'provider account',
  lead: '',
  writer: 'admin',
  columns: [
    { key: 'name', title: 'Account', cell: ({ name }) => name },
    { key: 'provider', title: 'Provider', cell: ({ provider_key }) => provider_key },
    { key: 'address', title: 'Base URL', isMinor: true, cell: ({ base_url }) => base_url ?? NOTHING },
    {
      key: 'credential',
      title: 'Credential',
      isMinor: true,
      cell: ({ credential_reference }) => <code>{credential_reference ?? NOTHING}</code>,
    },
  ],
  useItems: () => usePages(routes.providerAccounts.list, {}),
  touches: [routes.providerAccounts.list, routes.secrets.list],
  spec: ProviderAccountRequest,
  specOf: ({ id: _id, created_at: _created, updated_at: _updated, ...spec }) => spec,
  fields: () => ACCOUNT_FIELDS,
  starters: {
    'hosted provider': { name: 'main', provider_key: 'anthropic' },
    'local server': {
      name: 'local',
      provider_key: 'openai_compatible',
      base_url: 'http://127.0.0.1:11434/v1',
    },
  },
  secret: {
    member: 'api_key',
    label: 'API key',
    hint: 'Stored as a secret and never shown again. Leave empty to keep the stored key.',
  },
  create: (client, body, idempotencyKey) =>
    client.call(routes.providerAccounts.create, { body, idempotencyKey }),
  update: (client, provider_account_id, body) =>
    client.call(routes.providerAccounts.update, { params: { provider_account_id }, body }),
  removal: {
    word: 'Delete',
    consequence: 'Its key is deleted too. An account in use cannot be deleted.',
    remove: (client, provider_account_id) =>
      client.call(routes.providerAccounts.remove, { params: { provider_account_id } }),
  },
  Actions: ({ item: { id, name } }) => (
    <TestButton name={name} connection={async () => ({ accountId: id })} />
  ),
};

const ALIASES: ResourceKind<ModelAlias, z.output<typeof ModelAliasSpec>> = {
  plural: 'model aliases',
  singular: 'model alias',
  lead: '',
  writer: 'member',
  columns: [
    { key: 'name', title: 'Alias', cell: ({ name }) => name },
    { key: 'model', title: 'Model', cell: ({ model }) => <code>{model}</code> },
  ],
  useItems: () => usePages(routes.modelAliases.list, {}),
  touches: [routes.modelAliases.list],
  spec: ModelAliasSpec,
  specOf: ({ name, provider_account_id, model }) => ({ name, provider_account_id, model }),
  fields: () => ALIAS_FIELDS,
  starters: { alias: { name: 'fast', provider_account_id: '', model: '' } },
  create: (client, body, idempotencyKey) => client.call(routes.modelAliases.create, { body, idempotencyKey }),
  update: (client, model_alias_id, body) =>
    client.call(routes.modelAliases.update, { params: { model_alias_id }, body }),
  removal: {
    word: 'Delete',
    consequence: 'An alias that an active deployment uses cannot be deleted.',
    remove: (client, model_alias_id) =>
      client.call(routes.modelAliases.remove, { params: { model_alias_id } }),
  },
  Actions: ({ item: { name, provider_account_id, model } }) => (
    <TestButton name={name} connection={async () => ({ accountId: provider_account_id, model })} />
  ),
};

/** Provider accounts and model aliases. */
export default function ModelsScreen() {
  return (
    <Page
      title="Models"
      lead="Provider accounts define how models are reached; aliases are stable names for models."
    >
      <ResourceSection kind={ACCOUNTS} />
      <ResourceSection kind={ALIASES} />
    </Page>
  );
}
