import { DeploymentSpec, routes } from '@agentclash/api';
import { resourceKind } from './kind.js';

const API = routes.deployments;

export const deployment = resourceKind({
  name: 'deployment',
  noun: 'deployment',
  spec: DeploymentSpec,
  links: [
    { written: 'runtime_profile', member: 'runtime_profile_id', to: 'runtime_profile' },
    { written: 'config.provider_account', member: 'provider_account_id', to: 'provider_account' },
    { written: 'config.model_alias', to: 'model_alias', staysName: true },
    { written: 'config.tools.*', to: 'tool' },
    { written: 'config.files.*.from', member: 'artifact_id', to: 'file' },
  ],
  list: (client, query) => client.call(API.list, { query: { status: 'active', ...query } }),
  get: (client, id) => client.call(API.get, { params: { deployment_id: id } }),
  create: (client, body) => client.call(API.create, { body }),
  update: (client, id, body) => client.call(API.update, { params: { deployment_id: id }, body }),
  remove: (client, id) => client.call(API.archive, { params: { deployment_id: id } }),
  columns: [
    { title: 'KIND', value: ({ kind }) => kind },
    { title: 'REVISION', value: ({ revision }) => String(revision), align: 'right' },
  ],
  empty: 'No deployments. agentclash deployment create -f <file>',
});
