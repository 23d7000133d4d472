import { effectivePolicy, type ToolNarrowing, type WorkspaceTool } from '@agentclash/attempt-plan';
import { type CustomTool, PRIMITIVE_NAMES, type ToolPolicy } from '@agentclash/challengepack';
import type { WorkspaceToolDefinition } from '@agentclash/domain';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import { ToolCatalog } from '../../tools/catalog.js';
import { buildSurface } from '../../tools/surface.js';

export interface VectorTool {
  to?: string;
  steps?: string[];
  mock?: boolean;
  status?: WorkspaceTool['lifecycle_status'];
  attached?: boolean;
}

interface ToolsVector {
  id: string;
  pack?: ToolPolicy & { network_access?: boolean };
  profile?: Partial<ToolNarrowing>;
  overrides?: string[];
  tools?: { allowed?: string[]; denied?: string[]; custom?: Record<string, VectorTool> };
  workspace?: Record<string, VectorTool>;
  expect: {
    visible?: string[];
    calls?: Record<string, 'policy_error' | 'runs'>;
    layers?: Record<string, string>;
    error?: string;
    name?: string;
  };
}

export const primitives = Object.fromEntries(
  PRIMITIVE_NAMES.map((name) => [name, { description: name, parameters: { type: 'object' } }]),
);

export function customTool([name, { to, mock }]: [string, VectorTool]): CustomTool {
  return { name, implementation: mock ? { type: 'mock', response: 1 } : { primitive: to ?? '', args: {} } };
}

export function workspaceTool([name, tool]: [string, VectorTool]): WorkspaceTool {
  const { to, steps, status, attached } = tool;
  const definition: WorkspaceToolDefinition = steps
    ? { steps: steps.map((ref, at) => ({ id: `s${at}`, ref: { type: 'tool', name: ref }, inputs: {} })) }
    : {
        implementation: to
          ? { mode: 'delegate', primitive: to, args: {} }
          : { mode: 'mock', mock: { response: 1 } },
      };
  return {
    name,
    tool_kind: steps ? 'composed' : 'primitive',
    lifecycle_status: status ?? 'active',
    attached: attached ?? true,
    definition,
  };
}

function surfaceOf({ pack, profile, overrides, tools, workspace }: ToolsVector) {
  const { network_access = false, ...tool_policy } = pack ?? {};
  return buildSurface({
    policy: effectivePolicy({ tool_policy, sandbox: { network_access }, narrowing: profile }),
    catalog: new ToolCatalog({
      custom: Object.entries(tools?.custom ?? {}).map(customTool),
      workspace: Object.entries(workspace ?? {}).map(workspaceTool),
    }),
    tools: { allowed: tools?.allowed ?? [], denied: tools?.denied ?? [] },
    deniedNames: [...(profile?.denied_tools ?? []), ...(overrides ?? [])],
    primitives,
  });
}

export const driver: VectorDriver<ToolsVector> = {
  run(vector) {
    const { visible, calls = {}, layers = {}, error, name } = vector.expect;
    if (error) {
      expect(() => surfaceOf(vector)).toThrow(expect.objectContaining({ code: error, tool: name }));
      return;
    }
    const surface = surfaceOf(vector);
    expect([...surface.keys()]).toEqual(visible);
    for (const [tool, meets] of Object.entries(calls)) expect(surface.has(tool)).toBe(meets === 'runs');
    for (const [tool, layer] of Object.entries(layers)) expect(surface.get(tool)?.layer).toBe(layer);
  },
};
