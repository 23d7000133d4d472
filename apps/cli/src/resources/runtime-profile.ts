import { type RuntimeProfile, RuntimeProfileSpec, routes } from '@agentclash/api';
import { resourceKind } from './kind.js';

const API = routes.profiles;

export const runtimeProfile = resourceKind({
  name: 'runtime_profile',
  noun: 'runtime profile',
  spec: RuntimeProfileSpec,
  links: [],
  list: (client, query) => client.call(API.list, { query }),
  get: (client, id) => client.call(API.get, { params: { profile_id: id } }),
  create: (client, body) => client.call(API.create, { body }),
  update: (client, id, body) => client.call(API.update, { params: { profile_id: id }, body }),
  remove: (client, id) => client.call(API.remove, { params: { profile_id: id } }),
  columns: [{ title: 'SETS', value: settingsOf, cutTo: 60 }],
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
