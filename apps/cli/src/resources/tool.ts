import { routes, ToolSpec } from '@agentclash/api';
import { resourceKind } from './kind.js';

const API = routes.tools;

export const tool = resourceKind({
  name: 'tool',
  noun: 'tool',
  spec: ToolSpec,
  links: [],
  list: (client, query) => client.call(API.list, { query }),
  get: (client, id) => client.call(API.get, { params: { tool_id: id } }),
  create: (client, body) => client.call(API.create, { body }),
  update: (client, id, body) => client.call(API.update, { params: { tool_id: id }, body }),
  remove: (client, id) => client.call(API.remove, { params: { tool_id: id } }),
  columns: [
    { title: 'KIND', value: ({ tool_kind }) => tool_kind },
    { title: 'STATUS', value: ({ lifecycle_status }) => lifecycle_status },
    { title: 'DOES', value: ({ definition }) => definition.description ?? '', cutTo: 60 },
  ],
  empty: 'No workspace tools. agentclash tool create -f <file>',
});
