import { GatePolicySpec, limitsOf, routes } from '@agentclash/api';
import { resourceKind } from './kind.js';

const API = routes.gatePolicies;

export const gatePolicy = resourceKind({
  name: 'gate_policy',
  noun: 'gate policy',
  spec: GatePolicySpec,
  links: [],
  list: (client, query) => client.call(API.list, { query }),
  get: (client, id) => client.call(API.get, { params: { gate_policy_id: id } }),
  create: (client, body) => client.call(API.create, { body }),
  update: (client, id, body) => client.call(API.update, { params: { gate_policy_id: id }, body }),
  remove: (client, id) => client.call(API.remove, { params: { gate_policy_id: id } }),
  builtIn: async (client, name) => (name === 'default' ? client.call(API.getDefault, {}) : undefined),
  columns: [
    { title: 'VERSION', value: ({ version }) => String(version), align: 'right' },
    {
      title: 'HOLDS',
      value: ({ comparisons = {}, other_dimensions }) =>
        [...Object.keys(comparisons), ...(other_dimensions ? ['what else both have'] : [])].join(', '),
      cutTo: 60,
    },
  ],
  view: {
    title: 'asks for',
    members: [
      'comparisons',
      'other_dimensions',
      'missing_dimension',
      'require_pass',
      'min_cases',
      'max_missing_share',
    ],
    lines: (policy) => limitsOf(policy),
  },
  empty:
    'No gate policies: gates decide by the built-in one, which agentclash gate-policy show default prints. agentclash gate-policy create -f <file>',
});
