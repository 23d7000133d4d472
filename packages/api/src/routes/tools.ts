import { Applied, Tool, ToolSpec, tools } from '@agentclash/contracts';
import { queryOf } from '../list-query.js';
import { resourceRoutes } from './resource.js';

export const toolRoutes = resourceRoutes({
  path: 'tools',
  id: 'tool_id',
  writer: 'admin',
  spec: ToolSpec,
  resource: Tool,
  changed: Tool.extend({ applied: Applied }),
  query: queryOf(tools.list.input, 'workspace_id'),
  list: tools.list.output,
  isReferredTo: true,
  summaries: {
    create: "Make a workspace tool; its definition is held to the rules of a pack's tools",
    list: 'Workspace tools, newest first',
    get: 'One workspace tool',
    update: 'Replace a workspace tool; runs keep the snapshot they were created with',
    remove: 'Delete a workspace tool that nothing uses',
  },
});
