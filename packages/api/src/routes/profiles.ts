import { Applied, profiles, RuntimeProfile, RuntimeProfileSpec } from '@agentclash/contracts';
import { queryOf } from '../list-query.js';
import { resourceRoutes } from './resource.js';

export const profileRoutes = resourceRoutes({
  path: 'runtime-profiles',
  id: 'profile_id',
  writer: 'admin',
  spec: RuntimeProfileSpec,
  resource: RuntimeProfile,
  changed: RuntimeProfile.extend({ applied: Applied }),
  query: queryOf(profiles.list.input, 'workspace_id'),
  list: profiles.list.output,
  isReferredTo: true,
  summaries: {
    create: 'Create a runtime profile: execution limits and overrides',
    list: 'Runtime profiles, newest first',
    get: 'One runtime profile',
    update: 'Replace a runtime profile',
    remove: 'Delete a runtime profile that no deployment uses',
  },
});
