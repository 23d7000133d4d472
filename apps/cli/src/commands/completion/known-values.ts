import { type Client, type Page, routes } from '@agentclash/api';
import { moment } from '../../terminal/figures.js';
import type { ValueKind } from './value-kinds.js';

export interface Offer {
  value: string;
  /** A description in a few words. */
  help: string;
}

/** The kind of value, its command, and the values chosen already. */
export interface CompletionRequest {
  client: Client;
  signal: AbortSignal;
  given: ReadonlyMap<string, string>;
}

const NEWEST_MAX = 30;

/** The server's values of each kind, newest or first page: longer lists are not read. */
export const KNOWN: { [K in ValueKind]: (request: CompletionRequest) => Promise<Offer[]> } = {
  artifact: async ({ client, signal }) =>
    (await client.call(routes.artifacts.list, { signal })).items.map(({ id, name }) => offer(id, name)),
  attempt: async (request) => {
    const [newest] = await newestRuns(request, 1);
    if (newest === undefined) return [];
    const { client, signal } = request;
    const params = { run_id: newest.id };
    const { items } = await client.call(routes.runs.attempts, { params, signal });
    return items.map(({ id, agent_name: agent, case_key: key, repetition, outcome, state }) =>
      offer(id, `${agent} ${key} #${repetition} ${outcome ?? state}`),
    );
  },
  baseline: async ({ client, signal }) =>
    (await client.call(routes.baselines.list, { signal })).items.map(({ name, run_id: id }) =>
      offer(name, `run ${id}`),
    ),
  deployment: async ({ client, signal }) =>
    (await client.call(routes.deployments.list, { query: { status: 'active' }, signal })).items.map(
      ({ name, kind }) => offer(name, kind),
    ),
  gate_policy: ({ client, signal }) => named(client.call(routes.gatePolicies.list, { signal })),
  input_set: async ({ client, signal, given }) => {
    const pack = given.get('--pack');
    if (pack === undefined) return [];
    const { versions } = await client.call(routes.packs.get, { params: { pack }, signal });
    const number = given.get('--pack-version');
    const runnable = versions.filter(({ version_number: each, lifecycle_status: status }) =>
      number === undefined ? status === 'runnable' : String(each) === number,
    );
    const newest = runnable.toSorted((a, b) => b.version_number - a.version_number)[0];
    if (newest === undefined) return [];
    const { items } = await client.call(routes.versions.inputSets, {
      params: { version_id: newest.id },
      signal,
    });
    return items.map(({ key, name }) => offer(key, name));
  },
  model_alias: ({ client, signal }) => named(client.call(routes.modelAliases.list, { signal })),
  pack: async ({ client, signal }) =>
    (await client.call(routes.packs.list, { signal })).items.map(({ slug, name }) => offer(slug, name)),
  provider_account: ({ client, signal }) => named(client.call(routes.providerAccounts.list, { signal })),
  retry_choice: async () => [
    offer('infra', 'what no agent is to blame for'),
    offer('failed', 'all that did not pass'),
  ],
  run: async (request) => [
    offer('last', 'the newest run'),
    ...(await newestRuns(request, NEWEST_MAX)).map(({ id, number, name, status, pack, created_at: at }) =>
      offer(
        number === undefined ? id : String(number),
        [status, pack.slug, name ?? '', moment(at)].filter(Boolean).join(' '),
      ),
    ),
  ],
  run_agent: async ({ client, signal }) => {
    const query = { limit: NEWEST_MAX, status: 'completed' } as const;
    const { items } = await client.call(routes.runs.list, { query, signal });
    return items.flatMap(({ agents = [], pack, created_at: at }) =>
      agents.map(({ id, name }) => offer(id, `${name} ${pack.slug} ${moment(at)}`)),
    );
  },
  runtime_profile: ({ client, signal }) => named(client.call(routes.profiles.list, { signal })),
  secret: async ({ client, signal }) =>
    (await client.call(routes.secrets.list, { signal })).items.map(({ key }) => offer(key, 'secret')),
  token: async ({ client, signal }) =>
    (await client.call(routes.tokens.list, { signal })).items.map(({ name, role }) => offer(name, role)),
  tool: ({ client, signal }) => named(client.call(routes.tools.list, { signal })),
  variant: async ({ client, signal, given }) => {
    const { items } = await client.call(routes.deployments.list, { query: { status: 'active' }, signal });
    const chosen = given.get('--deployment');
    const varied = items.filter(({ name }) => chosen === undefined || name === chosen);
    return varied.flatMap(({ name: deployment, variants = {}, baseline }) =>
      Object.keys(variants).map((name) =>
        offer(name, name === baseline ? `the baseline of ${deployment}` : `a variant of ${deployment}`),
      ),
    );
  },
  webhook: ({ client, signal }) => named(client.call(routes.webhooks.list, { signal })),
  workspace: async ({ client, signal }) =>
    (await client.call(routes.workspaces.list, { signal })).items.map(({ slug, name }) => offer(slug, name)),
};

async function newestRuns({ client, signal }: CompletionRequest, limit: number) {
  return (await client.call(routes.runs.list, { query: { limit }, signal })).items;
}

async function named(page: Promise<Page<{ name: string }>>): Promise<Offer[]> {
  return (await page).items.map(({ name }) => offer(name, ''));
}

function offer(value: string, help: string): Offer {
  return { value, help };
}
