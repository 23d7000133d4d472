import {
  type ModelAlias,
  ModelAliasSpec,
  type ProviderAccount,
  ProviderAccountRequest,
  routes,
} from '@agentclash/api';
import type { z } from 'zod';
import { useChange } from '../data/use-change.js';
import { usePages } from '../data/use-pages.js';
import { Badge } from '../design/badge.js';
import { Button } from '../design/button.js';
import { formatDuration, NOTHING } from '../design/format.js';
import { Page } from '../design/page.js';
import { useMay } from '../session/session.js';
import type { ResourceKind } from './resource-kind.js';
import { ResourceSection } from './resource-screen.js';

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
  spec: ProviderAccountRequest,
  specOf: ({ id: _id, created_at: _created, updated_at: _updated, ...spec }) => spec,
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
  Actions: TestButton,
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
  spec: ModelAliasSpec,
  specOf: ({ name, provider_account_id, model }) => ({ name, provider_account_id, model }),
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
};

/** Sends one request to a model of the account. */
function TestButton({ item }: { item: ProviderAccount }) {
  const test = useChange(routes.providerAccounts.test);
  const mayTest = useMay('admin');
  if (!mayTest) return null;
  const { data, error } = test;
  return (
    <>
      {data && (
        <Badge tone={data.ok ? 'good' : 'bad'}>
          {data.ok ? `OK, ${formatDuration(data.latency_ms)}` : (data.error?.message ?? 'failed')}
        </Badge>
      )}
      {error && <Badge tone="bad">{error.message}</Badge>}
      <Button
        kind="quiet"
        isBusy={test.isPending}
        onClick={() => test.mutate({ params: { provider_account_id: item.id }, body: {} })}
        aria-label={`Test ${item.name}`}
      >
        Test
      </Button>
    </>
  );
}

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
