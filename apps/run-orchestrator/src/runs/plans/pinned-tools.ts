import type { WorkspaceTool } from '@agentclash/attempt-plan';
import type { Tool } from '@agentclash/contracts';
import { delegatesOf } from '../../catalogue/tools/tool-rules.js';

/** The attached tools of a deployment and everything that these lead to, as a run pins them. */
export function pinnedTools(attachedIds: readonly string[], all: readonly Tool[]): WorkspaceTool[] {
  const byName = new Map(all.map((tool) => [tool.name, tool]));
  const attached = all.filter(({ id }) => attachedIds.includes(id));
  const reached = new Set(attached);
  for (const tool of reached) {
    for (const name of delegatesOf(tool)) {
      const delegate = byName.get(name);
      if (delegate) reached.add(delegate);
    }
  }
  return [...reached].map((tool) => pinned(tool, attached.includes(tool)));
}

function pinned(tool: Tool, attached: boolean): WorkspaceTool {
  const { name, tool_kind, capability_key, lifecycle_status, definition } = tool;
  return {
    name,
    tool_kind,
    ...(capability_key !== undefined && { capability_key }),
    lifecycle_status,
    attached,
    definition: definition as WorkspaceTool['definition'],
  };
}
