import { type GatePolicy, GatePolicySpec, limitsOf, routes } from '@agentclash/api';
import { usePages } from '../data/use-pages.js';
import { Ago } from '../design/time.js';
import type { ResourceKind } from '../resources/form/resource-kind.js';
import css from './gates.module.css';

export const POLICIES: ResourceKind<GatePolicy, GatePolicySpec> = {
  plural: 'gate policies',
  singular: 'gate policy',
  lead: '',
  writer: 'admin',
  columns: [
    { key: 'name', title: 'Policy', cell: ({ name }) => name },
    {
      key: 'limits',
      title: 'Limits',
      cell: (policy) => (
        <ul className={css.reasons}>
          {limitsOf(policy).map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
      ),
    },
    { key: 'version', title: 'Version', isFigure: true, isMinor: true, cell: ({ version }) => version },
    { key: 'at', title: 'Changed', isMinor: true, cell: ({ updated_at }) => <Ago at={updated_at} /> },
  ],
  useItems: () => usePages(routes.gatePolicies.list, {}),
  touches: [routes.gatePolicies.list],
  spec: GatePolicySpec,
  specOf: ({ name, comparisons, other_dimensions, missing_dimension, ...rest }) => {
    const { require_pass, max_missing_share, min_cases } = rest;
    return {
      ...{ name, comparisons, require_pass, max_missing_share, min_cases },
      ...(other_dimensions !== undefined && { other_dimensions }),
      ...(missing_dimension !== undefined && { missing_dimension }),
    };
  },
  starters: {
    'significant loss in any common dimension': {
      name: 'default',
      other_dimensions: { max_regression: { warn: 0.02, fail: 0.05 }, mode: 'significant' },
    },
    'loss in a dimension': {
      name: 'release',
      comparisons: { correctness: { max_regression: { warn: 0.02, fail: 0.05 }, mode: 'point' } },
    },
    'significant loss': {
      name: 'significant',
      comparisons: { correctness: { max_regression: { warn: 0, fail: 0.02 }, mode: 'significant' } },
    },
    'non-inferiority': {
      name: 'strict',
      comparisons: { correctness: { max_regression: { warn: 0.02, fail: 0.05 }, mode: 'non_inferior' } },
      require_pass: true,
      min_cases: 59,
    },
  },
  create: (client, body, idempotencyKey) => client.call(routes.gatePolicies.create, { body, idempotencyKey }),
  update: (client, gate_policy_id, body) =>
    client.call(routes.gatePolicies.update, { params: { gate_policy_id }, body }),
  removal: {
    word: 'Delete',
    consequence: 'Gates that name it fail from now on. Past decisions are kept.',
    remove: (client, gate_policy_id) =>
      client.call(routes.gatePolicies.remove, { params: { gate_policy_id } }),
  },
};
