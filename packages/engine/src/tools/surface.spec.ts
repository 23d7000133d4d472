import { effectivePolicy } from '@agentclash/attempt-plan';
import { describe, expect, test } from '@jest/globals';
import { customTool, primitives, type VectorTool, workspaceTool } from '../testing/vectors/tools.js';
import { ToolCatalog, ToolCatalogError } from './catalog.js';
import { buildSurface, endsOf } from './surface.js';

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

  test('a chain of eight composed hops ends, and one of nine does not', () => {
    expect(ends(chainOf(8), 't0')).toEqual(new Set(['read_file']));
    expect(ends(chainOf(9), 't0')).toBeUndefined();
    expect(ends(chainOf(9), 't1')).toEqual(new Set(['read_file']));
  });

  test('a cycle has no end, and neither has a tool that delegates into it', () => {
    const custom = [
      customTool(['a', { to: 'b' }]),
      customTool(['b', { to: 'c' }]),
      customTool(['c', { to: 'b' }]),
    ];
    const catalog = new ToolCatalog({ custom, workspace: [] });
    for (const name of ['a', 'b', 'c']) expect(ends(catalog, name)).toBeUndefined();
  });

  test('a wide and deep tree of steps is checked at once', () => {
    const level = (at: number): [string, VectorTool] => {
      const next = at === 7 ? 'read_file' : `w${at + 1}`;
      return [`w${at}`, { steps: Array.from({ length: 16 }, () => next) }];
    };
    const workspace = Array.from({ length: 8 }, (_, at) => workspaceTool(level(at)));
    expect(ends(new ToolCatalog({ custom: [], workspace }), 'w0')).toEqual(new Set(['read_file']));
  });

  test('a name that occurs twice in one layer is refused', () => {
    const custom = [customTool(['a', { mock: true }]), customTool(['a', { mock: true }])];
    expect(() => new ToolCatalog({ custom, workspace: [] })).toThrow(ToolCatalogError);
  });

  test('an engine without a primitive offers neither it nor tools that end in it', () => {
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

describe('the tools of a program', () => {
  const namesFor = (allowed: string[], denied: string[] = [], deniedNames: string[] = []) => {
    const policy = effectivePolicy({ tool_policy: {}, sandbox: { network_access: false } });
    const custom = [
      customTool(['report', { to: 'query_sql' }]),
      customTool(['fetch', { to: 'http_request' }]),
    ];
    const catalog = new ToolCatalog({ custom, workspace: [] });
    const sources = { policy, catalog, tools: { allowed, denied }, deniedNames, primitives };
    return [...buildSurface({ ...sources, isForProgram: true }).keys()];
  };

  test('a program sees defined tools that policy admits, and listed primitives, but neither submit nor others', () => {
    expect(namesFor([])).toEqual(['report']);
    expect(namesFor(['read_file', 'submit', 'exec', 'write_file'], ['write_file'])).toEqual([
      'read_file',
      'report',
    ]);
    expect(namesFor(['read_file'], [], ['report'])).toEqual(['read_file']);
  });
});
