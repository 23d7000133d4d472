import { type CustomTool, PRIMITIVE_NAMES, type ToolPolicy } from '@agentclash/challengepack';
import { vectorSuite } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import type { ToolNarrowing, WorkspaceTool, WorkspaceToolDefinition } from '../plan.js';
import { effectivePolicy } from '../policy/policy.js';
import { ToolCatalog, ToolCatalogError } from './catalog.js';
import { endsOf } from './chain.js';
import { buildSurface } from './surface.js';

interface VectorTool {
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

const primitives = Object.fromEntries(
  PRIMITIVE_NAMES.map((name) => [name, { description: name, parameters: { type: 'object' } }]),
);

function customTool([name, { to, mock }]: [string, VectorTool]): CustomTool {
  return { name, implementation: mock ? { type: 'mock', response: 1 } : { primitive: to ?? '', args: {} } };
}

function workspaceTool([name, tool]: [string, VectorTool]): WorkspaceTool {
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

vectorSuite<ToolsVector>('execution-tools.yaml', (vector) => {
  const { visible, calls = {}, layers = {}, error, name } = vector.expect;
  if (error) {
    expect(() => surfaceOf(vector)).toThrow(expect.objectContaining({ code: error, tool: name }));
    return;
  }
  const surface = surfaceOf(vector);
  expect([...surface.keys()]).toEqual(visible);
  for (const [tool, meets] of Object.entries(calls)) expect(surface.has(tool)).toBe(meets === 'runs');
  for (const [tool, layer] of Object.entries(layers)) expect(surface.get(tool)?.layer).toBe(layer);
});

describe('delegation', () => {
  const chainOf = (length: number) => {
    const custom = Array.from({ length }, (_, at) =>
      customTool([`t${at}`, { to: at === length - 1 ? 'read_file' : `t${at + 1}` }]),
    );
    return new ToolCatalog({ custom, workspace: [] });
  };
  const ends = (catalog: ToolCatalog, name: string) => {
    const tool = catalog.offered().find((offered) => offered.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return endsOf(tool, catalog);
  };

  test('eight composed hops end, nine do not', () => {
    expect(ends(chainOf(8), 't0')).toEqual(new Set(['read_file']));
    expect(ends(chainOf(9), 't0')).toBeUndefined();
    expect(ends(chainOf(9), 't1')).toEqual(new Set(['read_file']));
  });

  test('a cycle does not end, for whoever leads into it', () => {
    const custom = [
      customTool(['a', { to: 'b' }]),
      customTool(['b', { to: 'c' }]),
      customTool(['c', { to: 'b' }]),
    ];
    const catalog = new ToolCatalog({ custom, workspace: [] });
    for (const name of ['a', 'b', 'c']) expect(ends(catalog, name)).toBeUndefined();
  });

  test('a wide and deep tree of steps is judged at once', () => {
    const level = (at: number): [string, VectorTool] => {
      const next = at === 7 ? 'read_file' : `w${at + 1}`;
      return [`w${at}`, { steps: Array.from({ length: 16 }, () => next) }];
    };
    const workspace = Array.from({ length: 8 }, (_, at) => workspaceTool(level(at)));
    expect(ends(new ToolCatalog({ custom: [], workspace }), 'w0')).toEqual(new Set(['read_file']));
  });

  test('a name twice in one layer is refused', () => {
    const custom = [customTool(['a', { mock: true }]), customTool(['a', { mock: true }])];
    expect(() => new ToolCatalog({ custom, workspace: [] })).toThrow(ToolCatalogError);
  });

  test('an engine without a primitive offers neither it nor what ends in it', () => {
    const { query_sql, ...rest } = primitives;
    const catalog = new ToolCatalog({ custom: [customTool(['report', { to: 'query_sql' }])], workspace: [] });
    const policy = effectivePolicy({ tool_policy: {}, sandbox: { network_access: false } });
    const tools = { allowed: [], denied: [] };
    const surface = buildSurface({ policy, catalog, tools, deniedNames: [], primitives: rest });
    expect(query_sql).toBeDefined();
    expect([surface.has('query_sql'), surface.has('report'), surface.has('query_json')]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
