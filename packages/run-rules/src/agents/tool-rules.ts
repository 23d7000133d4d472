import { inspectWorkspaceTool, type WorkspaceToolDraft } from '@agentclash/challengepack';
import type { FieldProblem, Tool, ToolSpec } from '@agentclash/contracts';

type Checked = Pick<Tool, 'name' | 'tool_kind' | 'definition'>;

/**
 * The problems of a tool beside the others of its workspace; inactive ones are no delegates. Its schema has been read
 * before, and is not read here.
 */
export function toolProblems(
  spec: ToolSpec,
  others: readonly Tool[],
  schemaProblem: string | null,
): FieldProblem[] {
  const active = others.filter(({ lifecycle_status }) => lifecycle_status === 'active');
  return inspectWorkspaceTool(draftOf(spec), active.map(draftOf), { readParameters: () => schemaProblem });
}

/** Names of the tools that hand on to one. */
export function delegatorsOf(name: string, tools: readonly Tool[]): string[] {
  return tools
    .filter((tool) => tool.name !== name && delegatesOf(tool).includes(name))
    .map((tool) => tool.name);
}

export function delegatesOf({ definition: { implementation, steps = [] } }: Checked): string[] {
  const direct = implementation?.mode === 'delegate' ? [implementation.primitive] : [];
  return [...direct, ...steps.map(({ ref }) => ref.name)];
}

/** A definition that came over the bus is JSON. */
function draftOf({ name, tool_kind, definition }: Checked): WorkspaceToolDraft {
  return { name, tool_kind, definition: definition as WorkspaceToolDraft['definition'] };
}
