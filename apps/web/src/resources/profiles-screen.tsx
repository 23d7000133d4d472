import { type RuntimeProfile, RuntimeProfileSpec, routes } from '@agentclash/api';
import type { z } from 'zod';
import { usePages } from '../data/use-pages.js';
import { formatCost, NOTHING } from '../design/format.js';
import type { ResourceKind } from './form/resource-kind.js';
import { ResourceScreen } from './resource-screen.js';

const PROFILES: ResourceKind<RuntimeProfile, z.output<typeof RuntimeProfileSpec>> = {
  plural: 'profiles',
  singular: 'profile',
  lead: 'Runtime profiles: execution limits shared by deployments. Absent limits have their defaults.',
  writer: 'admin',
  columns: [
    { key: 'name', title: 'Profile', cell: ({ name }) => name },
    {
      key: 'time',
      title: 'Timeout',
      isFigure: true,
      cell: ({ run_timeout_seconds: seconds }) => (seconds === undefined ? NOTHING : `${seconds} s`),
    },
    {
      key: 'iterations',
      title: 'Iterations',
      isFigure: true,
      cell: ({ max_iterations }) => max_iterations ?? NOTHING,
    },
    {
      key: 'cost',
      title: 'Cost',
      isFigure: true,
      isMinor: true,
      cell: ({ max_cost_usd }) => formatCost(max_cost_usd),
    },
  ],
  useItems: () => usePages(routes.profiles.list, {}),
  touches: [routes.profiles.list],
  spec: RuntimeProfileSpec,
  specOf: ({ id: _id, created_at: _created, updated_at: _updated, ...spec }) => spec,
  starters: { limits: { name: 'quick', run_timeout_seconds: 60, max_iterations: 20 } },
  create: (client, body, idempotencyKey) => client.call(routes.profiles.create, { body, idempotencyKey }),
  update: (client, profile_id, body) => client.call(routes.profiles.update, { params: { profile_id }, body }),
  removal: {
    word: 'Delete',
    consequence: 'A profile that a deployment uses cannot be deleted.',
    remove: (client, profile_id) => client.call(routes.profiles.remove, { params: { profile_id } }),
  },
};

export default function ProfilesScreen() {
  return <ResourceScreen kind={PROFILES} />;
}
