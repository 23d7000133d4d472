import {
  DeploymentSpec,
  GATE_REQUIREMENTS,
  GatePolicySpec,
  limitsOf,
  ModelAliasSpec,
  ProviderAccountSpec,
  type RuntimeProfile,
  RuntimeProfileSpec,
  routes,
  ToolSpec,
} from '@agentclash/api';
import { SECRET_SCHEME } from '@agentclash/domain';
import { type Link, type ResourceKind, resourceKind } from './kind.js';
import type { KindName } from './kind-names.js';

const ACCOUNTS = routes.providerAccounts;

export const providerAccount = resourceKind({
  name: 'provider_account',
  noun: 'provider account',
  spec: ProviderAccountSpec,
  links: [],
  list: (client, query) => client.call(ACCOUNTS.list, { query }),
  get: (client, id) => client.call(ACCOUNTS.get, { params: { provider_account_id: id } }),
  create: (client, body) => client.call(ACCOUNTS.create, { body }),
  update: (client, id, body) => client.call(ACCOUNTS.update, { params: { provider_account_id: id }, body }),
  remove: (client, id) => client.call(ACCOUNTS.remove, { params: { provider_account_id: id } }),
  // A key that was typed in is in no file: a file that names no credential does not mean to drop it.
  keep: (body, { credential_reference: stored }) =>
    body.credential_reference === undefined && stored?.startsWith(`${SECRET_SCHEME}PROVIDER_ACCOUNT_`)
      ? { ...body, credential_reference: stored }
      : body,
  columns: [
    { title: 'PROVIDER', value: ({ provider_key }) => provider_key },
    { title: 'URL', value: ({ base_url }) => base_url ?? '', cutTo: 16 },
    { title: 'CREDENTIAL', value: ({ credential_reference }) => credential_reference ?? 'none', cutTo: 14 },
  ],
  empty: 'No provider accounts. agentclash provider-account create --name <name> --provider <provider>',
});

const ALIASES = routes.modelAliases;

const modelAlias = resourceKind({
  name: 'model_alias',
  noun: 'model alias',
  spec: ModelAliasSpec,
  links: [{ written: 'provider_account', member: 'provider_account_id', to: 'provider_account' }],
  list: (client, query) => client.call(ALIASES.list, { query }),
  get: (client, id) => client.call(ALIASES.get, { params: { model_alias_id: id } }),
  create: (client, body) => client.call(ALIASES.create, { body }),
  update: (client, id, body) => client.call(ALIASES.update, { params: { model_alias_id: id }, body }),
  remove: (client, id) => client.call(ALIASES.remove, { params: { model_alias_id: id } }),
  columns: [{ title: 'MODEL', value: ({ model }) => model, cutTo: 20 }],
  empty: 'No model aliases. agentclash model-alias create -f <file>',
});

const PROFILES = routes.profiles;

const runtimeProfile = resourceKind({
  name: 'runtime_profile',
  noun: 'runtime profile',
  spec: RuntimeProfileSpec,
  links: [],
  list: (client, query) => client.call(PROFILES.list, { query }),
  get: (client, id) => client.call(PROFILES.get, { params: { profile_id: id } }),
  create: (client, body) => client.call(PROFILES.create, { body }),
  update: (client, id, body) => client.call(PROFILES.update, { params: { profile_id: id }, body }),
  remove: (client, id) => client.call(PROFILES.remove, { params: { profile_id: id } }),
  columns: [{ title: 'SETS', value: settingsOf, cutTo: 20 }],
  empty: 'No runtime profiles: every deployment has the default limits.',
});

function settingsOf({
  id: _id,
  name: _name,
  created_at: _created,
  updated_at: _updated,
  ...set
}: RuntimeProfile): string {
  return Object.entries(set)
    .map(([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(' ');
}

const TOOLS = routes.tools;

const tool = resourceKind({
  name: 'tool',
  noun: 'tool',
  spec: ToolSpec,
  links: [],
  list: (client, query) => client.call(TOOLS.list, { query }),
  get: (client, id) => client.call(TOOLS.get, { params: { tool_id: id } }),
  create: (client, body) => client.call(TOOLS.create, { body }),
  update: (client, id, body) => client.call(TOOLS.update, { params: { tool_id: id }, body }),
  remove: (client, id) => client.call(TOOLS.remove, { params: { tool_id: id } }),
  columns: [
    { title: 'KIND', value: ({ tool_kind }) => tool_kind },
    { title: 'STATUS', value: ({ lifecycle_status }) => lifecycle_status },
    { title: 'DOES', value: ({ definition }) => definition.description ?? '', cutTo: 16 },
  ],
  empty: 'No workspace tools. agentclash tool create -f <file>',
});

const POLICIES = routes.gatePolicies;

const gatePolicy = resourceKind({
  name: 'gate_policy',
  noun: 'gate policy',
  spec: GatePolicySpec,
  links: [],
  list: (client, query) => client.call(POLICIES.list, { query }),
  get: (client, id) => client.call(POLICIES.get, { params: { gate_policy_id: id } }),
  create: (client, body) => client.call(POLICIES.create, { body }),
  update: (client, id, body) => client.call(POLICIES.update, { params: { gate_policy_id: id }, body }),
  remove: (client, id) => client.call(POLICIES.remove, { params: { gate_policy_id: id } }),
  builtIn: async (client, name) => (name === 'default' ? client.call(POLICIES.getDefault, {}) : undefined),
  columns: [
    { title: 'VERSION', value: ({ version }) => String(version), align: 'right' },
    {
      title: 'HOLDS',
      value: ({ comparisons = {}, other_dimensions }) =>
        [...Object.keys(comparisons), ...(other_dimensions ? ['what else both have'] : [])].join(', '),
      cutTo: 20,
    },
  ],
  view: {
    title: 'requires',
    members: GATE_REQUIREMENTS,
    lines: (policy) => limitsOf(policy),
  },
  empty:
    'No gate policies: gates decide by the built-in one, which agentclash gate-policy show default prints. agentclash gate-policy create -f <file>',
});

const DEPLOYMENTS = routes.deployments;

/** Of a deployment's configuration, or of the part that a variant changes. */
function linksOfConfig(config: string): Link[] {
  return [
    ...['model_alias', 'models.main', 'models.small'].map(
      (member): Link => ({ written: `${config}.${member}`, to: 'model_alias', staysName: true }),
    ),
    { written: `${config}.tools.*`, to: 'tool' },
    { written: `${config}.files.*.from`, member: 'artifact_id', to: 'file' },
    { written: `${config}.mcp_servers.*.files.*.from`, member: 'artifact_id', to: 'file' },
    { written: `${config}.instructions_file`, member: 'instructions', to: 'text' },
    { written: `${config}.policy_spec.instructions_file`, member: 'instructions', to: 'text' },
    { written: `${config}.skills.*`, to: 'skill' },
  ];
}

const deployment = resourceKind({
  name: 'deployment',
  noun: 'deployment',
  spec: DeploymentSpec,
  links: [
    { written: 'runtime_profile', member: 'runtime_profile_id', to: 'runtime_profile' },
    { written: 'config.provider_account', member: 'provider_account_id', to: 'provider_account' },
    { written: 'config.preset_file', member: 'preset', to: 'document' },
    ...['config', 'variants.*'].flatMap(linksOfConfig),
  ],
  list: (client, query) => client.call(DEPLOYMENTS.list, { query: { status: 'active', ...query } }),
  get: (client, id) => client.call(DEPLOYMENTS.get, { params: { deployment_id: id } }),
  create: (client, body) => client.call(DEPLOYMENTS.create, { body }),
  update: (client, id, body) => client.call(DEPLOYMENTS.update, { params: { deployment_id: id }, body }),
  remove: (client, id) => client.call(DEPLOYMENTS.archive, { params: { deployment_id: id } }),
  columns: [
    { title: 'KIND', value: ({ kind }) => kind },
    { title: 'REVISION', value: ({ revision }) => String(revision), align: 'right' },
  ],
  empty: 'No deployments. agentclash apply -f <file>',
});

export const KINDS: Readonly<Record<KindName, ResourceKind>> = {
  provider_account: providerAccount,
  model_alias: modelAlias,
  runtime_profile: runtimeProfile,
  tool,
  gate_policy: gatePolicy,
  deployment,
};
