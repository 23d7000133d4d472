import { Applied, profiles, RuntimeProfile, RuntimeProfileSpec } from '@agentclash/contracts';
import { queryOf } from '../list-query.js';
import { route } from '../route.js';

const path = '/v1/workspaces/{ws}/runtime-profiles';

export const profileRoutes = {
  create: route({
    method: 'POST',
    path,
    access: 'admin',
    summary: 'Make a runtime profile: execution limits and overrides',
    body: RuntimeProfileSpec,
    response: RuntimeProfile,
    status: 201,
    creates: true,
  }),
  list: route({
    method: 'GET',
    path,
    access: 'viewer',
    summary: 'Runtime profiles',
    query: queryOf(profiles.list.input, 'workspace_id'),
    response: profiles.list.output,
    status: 200,
  }),
  get: route({
    method: 'GET',
    path: `${path}/{profile_id}`,
    access: 'viewer',
    summary: 'One runtime profile',
    response: RuntimeProfile,
    status: 200,
  }),
  update: route({
    method: 'PUT',
    path: `${path}/{profile_id}`,
    access: 'admin',
    summary: 'Replace a runtime profile',
    body: RuntimeProfileSpec,
    response: RuntimeProfile.extend({ applied: Applied }),
    status: 200,
  }),
  remove: route({
    method: 'DELETE',
    path: `${path}/{profile_id}`,
    access: 'admin',
    summary: 'Delete a runtime profile that no deployment uses',
    response: 'none',
    status: 204,
  }),
};
