import { routes, type Tool, ToolSpec } from '@agentclash/api';
import type { z } from 'zod';
import { usePages } from '../data/use-pages.js';
import { Badge } from '../design/badge.js';
import { NOTHING } from '../design/format.js';
import type { ResourceKind } from './form/resource-kind.js';
import { ResourceScreen } from './resource-screen.js';

const TOOLS: ResourceKind<Tool, z.output<typeof ToolSpec>> = {
  plural: 'tools',
  singular: 'tool',
  lead: 'Workspace tools, built from primitives and other tools. Deployments select them.',
  writer: 'admin',
  columns: [
    { key: 'name', title: 'Tool', cell: ({ name }) => <code>{name}</code> },
    { key: 'kind', title: 'Kind', cell: ({ tool_kind }) => tool_kind },
    {
      key: 'state',
      title: 'Status',
      cell: ({ lifecycle_status }) => (
        <Badge tone={lifecycle_status === 'active' ? 'good' : 'neutral'}>{lifecycle_status}</Badge>
      ),
    },
    {
      key: 'description',
      title: 'Description',
      isMinor: true,
      cell: ({ definition }) => definition.description ?? NOTHING,
    },
  ],
  useItems: () => usePages(routes.tools.list, {}),
  touches: [routes.tools.list],
  spec: ToolSpec,
  specOf: ({ id: _id, created_at: _created, updated_at: _updated, ...spec }) => spec,
  starters: {
    primitive: {
      name: 'read_notes',
      tool_kind: 'primitive',
      definition: {
        description: 'Reads the notes.',
        parameters: { type: 'object', properties: {}, additionalProperties: false },
        implementation: { mode: 'delegate', primitive: 'read_file', args: { path: 'notes.md' } },
      },
    },
    mock: {
      name: 'service_status',
      tool_kind: 'primitive',
      definition: {
        description: 'Returns the status of a service.',
        implementation: { mode: 'mock', mock: { strategy: 'static', response: 'All systems operational.' } },
      },
    },
  },
  create: (client, body, idempotencyKey) => client.call(routes.tools.create, { body, idempotencyKey }),
  update: (client, tool_id, body) => client.call(routes.tools.update, { params: { tool_id }, body }),
  removal: {
    word: 'Delete',
    consequence: 'Runs keep the snapshot they were created with.',
    remove: (client, tool_id) => client.call(routes.tools.remove, { params: { tool_id } }),
  },
};

export default function ToolsScreen() {
  return <ResourceScreen kind={TOOLS} />;
}
