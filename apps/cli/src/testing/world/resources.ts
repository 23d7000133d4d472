import { routes } from '@agentclash/api';
import { deployment } from '../factories.js';
import type { FakeApi } from '../fake-api.js';
import { AT, found, idOf, named, pageOf, stored } from './known.js';

const account = {
  ...stored(51),
  name: 'local',
  provider_key: 'openai_compatible' as const,
  base_url: 'http://127.0.0.1:11434/v1',
};
const alias = { ...stored(52), name: 'fast', provider_account_id: account.id, model: 'qwen3' };
const profile = { ...stored(53), name: 'short', max_iterations: 10 };
const tool = {
  ...stored(54),
  name: 'ask',
  tool_kind: 'primitive' as const,
  definition: { implementation: { mode: 'mock' as const, mock: { response: 1 } } },
  lifecycle_status: 'active' as const,
};
const policy = {
  ...stored(55),
  name: 'release',
  version: 1,
  fingerprint: 'ab'.repeat(32),
  comparisons: { correctness: { max_regression: { warn: 0.02, fail: 0.05 } } },
  require_pass: true,
  max_missing_share: 0,
  min_cases: 10,
};
export const solver = {
  ...deployment('solver', {
    id: idOf(56),
    kind: 'program',
    config: { command: ['python3', '/agent/solve.py'] },
  }),
};
export const idle = { ...deployment('idle', { id: idOf(57), created_at: AT }) };

interface Stored {
  id: string;
  name: string;
}

export function offerResources(api: FakeApi): void {
  const one = <Item extends Stored>(items: readonly Item[], id: string | undefined): Item =>
    found(items, (item) => item.id === id, 'resource');
  const isActive = ({ query }: { query: URLSearchParams }) => query.get('status') !== 'archived';

  api.on(routes.providerAccounts.list, named([account]));
  api.on(routes.providerAccounts.get, ({ params }) => one([account], params.provider_account_id));
  api.on(routes.providerAccounts.create, () => account);
  api.on(routes.providerAccounts.update, () => ({ ...account, applied: 'unchanged' as const }));
  api.on(routes.providerAccounts.remove, () => undefined);
  api.on(routes.providerAccounts.test, () => ({
    ...{ ok: true, model: 'qwen3', response_model: 'qwen3:8b', latency_ms: 40, error: null },
  }));
  api.on(routes.modelAliases.list, named([alias]));
  api.on(routes.modelAliases.get, ({ params }) => one([alias], params.model_alias_id));
  api.on(routes.modelAliases.update, () => ({ ...alias, applied: 'unchanged' as const }));
  api.on(routes.modelAliases.remove, () => undefined);
  api.on(routes.profiles.list, named([profile]));
  api.on(routes.profiles.get, ({ params }) => one([profile], params.profile_id));
  api.on(routes.profiles.update, () => ({ ...profile, max_iterations: 20, applied: 'revised' as const }));
  api.on(routes.profiles.remove, () => undefined);
  api.on(routes.tools.list, named([tool]));
  api.on(routes.tools.get, ({ params }) => one([tool], params.tool_id));
  api.on(routes.tools.create, () => tool);
  api.on(routes.tools.update, () => ({ ...tool, applied: 'unchanged' as const }));
  api.on(routes.tools.remove, () => undefined);
  api.on(routes.gatePolicies.list, named([policy]));
  api.on(routes.gatePolicies.getDefault, () => ({
    ...{ name: 'default', built_in: true, fingerprint: 'cd'.repeat(32), missing_dimension: 'note' as const },
    comparisons: {
      correctness: { max_regression: { warn: 0.02, fail: 0.05 }, mode: 'significant' as const },
    },
    other_dimensions: { max_regression: { warn: 0.02, fail: 0.05 }, mode: 'significant' as const },
  }));
  api.on(routes.gatePolicies.get, ({ params }) => one([policy], params.gate_policy_id));
  api.on(routes.gatePolicies.update, () => ({ ...policy, version: 2, applied: 'revised' as const }));
  api.on(routes.gatePolicies.remove, () => undefined);
  api.on(routes.deployments.list, (request) =>
    isActive(request) ? named([solver, idle])(request) : pageOf([]),
  );
  api.on(routes.deployments.get, ({ params }) => one([solver, idle], params.deployment_id));
  api.on(routes.deployments.create, ({ body }) => ({ ...solver, ...JSON.parse(body), id: idOf(58) }));
  api.on(routes.deployments.update, () => ({ ...solver, revision: 2, applied: 'revised' as const }));
  api.on(routes.deployments.archive, () => undefined);
}
