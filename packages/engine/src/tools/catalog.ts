import type { PlannedTools, WorkspaceTool } from '@agentclash/attempt-plan';
import {
  type CustomTool,
  isPrimitiveName,
  type JsonObject,
  NO_PARAMETERS,
  type PrimitiveName,
} from '@agentclash/challengepack';
import type { Mock } from '@agentclash/domain';

/** The behaviour of a defined tool: delegate to one tool, to several in order, or reply by itself. */
type ToolBody =
  | { kind: 'delegate'; to: string; args: JsonObject }
  | { kind: 'steps'; steps: { id: string; to: string; args: JsonObject }[] }
  | { kind: 'mock'; mock: Mock };

/** A tool that a pack or a workspace defines over the primitives. */
export interface DefinedTool {
  name: string;
  layer: 'pack' | 'workspace';
  description: string;
  parameters: JsonObject;
  body: ToolBody;
  /** Shown to the agent when policy admits it; others serve as delegates only. */
  isOffered: boolean;
}

/** Tool definitions that cannot be used together; refused when a run is created. */
export class ToolCatalogError extends Error {
  override readonly name = 'ToolCatalogError';

  constructor(
    readonly code: 'reserved_name' | 'not_unique' | 'malformed',
    readonly tool: string,
  ) {
    super(`${code}: ${tool}`);
  }
}

const STEPS_MAX = 16;

/** Every defined tool by layer. A pack tool delegates to primitives and pack tools, a workspace tool to active ones. */
export class ToolCatalog {
  private readonly layers: Record<DefinedTool['layer'], Map<string, DefinedTool>>;

  /** Throws ToolCatalogError. */
  constructor(tools: Pick<PlannedTools, 'custom' | 'workspace'>) {
    const active = tools.workspace.filter((tool) => tool.lifecycle_status === 'active');
    this.layers = {
      pack: byName(tools.custom.map(packTool)),
      workspace: byName(active.map(workspaceTool)),
    };
  }

  /** The delegate of a name for a tool of `layer`. */
  delegate(name: string, layer: DefinedTool['layer']): PrimitiveName | DefinedTool | undefined {
    return isPrimitiveName(name) ? name : this.layers[layer].get(name);
  }

  /** The tools that an agent could be offered; where both layers have a name, the pack's. */
  offered(): DefinedTool[] {
    const { pack, workspace } = this.layers;
    const attached = [...workspace.values()].filter((tool) => tool.isOffered && !pack.has(tool.name));
    return [...pack.values(), ...attached];
  }
}

function byName(tools: DefinedTool[]): Map<string, DefinedTool> {
  const named = new Map<string, DefinedTool>();
  for (const tool of tools) {
    if (isPrimitiveName(tool.name)) throw new ToolCatalogError('reserved_name', tool.name);
    if (named.has(tool.name)) throw new ToolCatalogError('not_unique', tool.name);
    named.set(tool.name, tool);
  }
  return named;
}

function packTool({ name, description, parameters, implementation }: CustomTool): DefinedTool {
  const { type, primitive, args, ...mock } = implementation;
  const body: ToolBody =
    type === 'mock' ? { kind: 'mock', mock } : { kind: 'delegate', to: primitive ?? '', args: args ?? {} };
  return {
    name,
    layer: 'pack',
    description: description ?? '',
    parameters: parameters ?? NO_PARAMETERS,
    body,
    isOffered: true,
  };
}

function workspaceTool(tool: WorkspaceTool): DefinedTool {
  const { description, parameters } = tool.definition;
  return {
    name: tool.name,
    layer: 'workspace',
    description: description ?? '',
    parameters: parameters ?? NO_PARAMETERS,
    body: workspaceBody(tool),
    isOffered: tool.attached,
  };
}

function workspaceBody({ name, tool_kind, definition }: WorkspaceTool): ToolBody {
  const { implementation, steps } = definition;
  if (tool_kind === 'composed' && steps && steps.length > 0 && steps.length <= STEPS_MAX) {
    return { kind: 'steps', steps: steps.map(({ id, ref, inputs }) => ({ id, to: ref.name, args: inputs })) };
  }
  if (tool_kind === 'primitive' && implementation) {
    return implementation.mode === 'mock'
      ? { kind: 'mock', mock: implementation.mock }
      : { kind: 'delegate', to: implementation.primitive, args: implementation.args };
  }
  throw new ToolCatalogError('malformed', name);
}
