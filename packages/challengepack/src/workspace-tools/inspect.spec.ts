import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inspectWorkspaceTool } from './inspect.js';
import type { WorkspaceToolDraft } from './workspace-tool.js';

type Definition = WorkspaceToolDraft['definition'];

const text = { type: 'object', properties: { part: { type: 'string' } } };
const over = (
  name: string,
  primitive: string,
  args: object = {},
  parameters: object = text,
): WorkspaceToolDraft => ({
  name,
  tool_kind: 'primitive',
  definition: { parameters, implementation: { mode: 'delegate', primitive, args } } as Definition,
});
const steps = (name: string, ...to: [type: 'primitive' | 'tool', name: string, inputs?: object][]) =>
  ({
    name,
    tool_kind: 'composed',
    definition: {
      parameters: text,
      steps: to.map(([type, ref, inputs = {}], index) => ({
        id: `s${index}`,
        ref: { type, name: ref },
        inputs,
      })),
    },
  }) as WorkspaceToolDraft;
const mock = (name: string, solution: object): WorkspaceToolDraft => ({
  name,
  tool_kind: 'primitive',
  definition: { implementation: { mode: 'mock', mock: solution } },
});
const fetching = (name: string, args: object) => over(name, 'http_request', { method: 'GET', ...args });
const found = (tool: WorkspaceToolDraft, ...others: WorkspaceToolDraft[]) =>
  inspectWorkspaceTool(tool, others).map(({ code, field }) => `${field} ${code}`);

const AT = 'definition.implementation';

describe('a workspace tool', () => {
  test('a workspace tool over primitives and active tools, with declared placeholders, has no problems', () => {
    const stock = fetching('stock', { url: 'https://stock.example.com/${path:part}' });
    expect(found(stock)).toEqual([]);
    const report = steps(
      'report',
      ['tool', 'stock', { part: '${params.part}' }],
      ['primitive', 'write_file', { path: 'r.txt', content: '${part}: ${steps.s0.body}' }],
    );
    expect(found(report, stock)).toEqual([]);
    expect(found(mock('fixed', { response: null }))).toEqual([]);
  });

  test.each<[string, WorkspaceToolDraft, string[]]>([
    ['has the name of a primitive', over('exec', 'read_file'), ['name reserved_name']],
    [
      'has parameters that are no schema of an object',
      over('t', 'read_file', {}, { type: 'array' }),
      ['definition.parameters invalid_schema'],
    ],
    ['names what is not there', over('t', 'read_fil'), [`${AT}.primitive unknown_reference`]],
    [
      'names a tool where a primitive is meant',
      steps('t', ['primitive', 'other']),
      ['definition.steps.0.ref.name unknown_reference'],
    ],
    ['delegates to itself', over('t', 't'), [`${AT}.primitive self_reference`]],
    [
      'has no steps though it is composed',
      { name: 't', tool_kind: 'composed', definition: {} },
      ['definition.steps required'],
    ],
    [
      'has an unclosed placeholder',
      over('t', 'read_file', { path: 'a${part' }),
      [`${AT}.args.path invalid_placeholder`],
    ],
    [
      'has a placeholder that nothing declares',
      over('t', 'read_file', { path: ['${other}'] }),
      [`${AT}.args.path.0 unknown_placeholder`],
    ],
    [
      'reads a step that comes later',
      steps('t', ['primitive', 'read_file', { path: '${steps.s1}' }], ['primitive', 'list_files']),
      ['definition.steps.0.inputs.path unknown_placeholder'],
    ],
    ['is a lookup without responses', mock('t', { lookup_key: 'part' }), [`${AT}.mock.responses required`]],
    [
      'hides a secret in a mock',
      mock('t', { response: ['${secrets.KEY}'] }),
      [`${AT}.mock.response.0 secret_not_allowed`],
    ],
    [
      'gives a secret to a file',
      over('t', 'write_file', { path: 'x', content: '${json:secrets.KEY}' }),
      [`${AT}.args.content secret_not_allowed`],
    ],
    [
      'holds a credential of accounts',
      over('t', 'read_file', { path: 'workspace-secret://K' }),
      [`${AT}.args.path wrong_reference`],
    ],
    [
      'lets an argument choose the host of a secret',
      fetching('t', { url: 'https://${part}/', body: '${secrets.K}' }),
      [`${AT}.args.url secret_host_not_literal`],
    ],
    [
      'sends a secret to a public host over plain http',
      fetching('t', { url: 'http://h.example/', body: '${secrets.K}' }),
      [`${AT}.args.url secret_over_http`],
    ],
    [
      'writes the response to a request with a secret into a file',
      fetching('t', { url: 'https://h.example/', body: '${secrets.K}', output_path: 'o' }),
      [`${AT}.args.output_path secret_with_output_path`],
    ],
  ])('a workspace tool that %s is refused, and the problem names the field', (_what, tool, problems) => {
    expect(found(tool)).toEqual(problems);
  });

  test('a workspace tool never closes a cycle, however long', () => {
    const others = [steps('b', ['tool', 'c']), steps('c', ['primitive', 'read_file'], ['tool', 'a'])];
    expect(found(steps('a', ['tool', 'b']), ...others)).toEqual([
      'definition.steps.0.ref.name delegation_cycle',
    ]);
  });

  test('a workspace tool never makes a chain of more than eight hops, its own or that of others', () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, n) => over(`t${n}`, n === 0 ? 'read_file' : `t${n - 1}`));
    expect(found(over('top', 't6'), ...chain(7))).toEqual([]);
    expect(found(over('top', 't7'), ...chain(8))).toEqual([`${AT}.primitive delegation_too_deep`]);
    const forked = steps('forked', ['tool', 't6'], ['primitive', 'list_files']);
    expect(found(over('top', 'forked'), forked, ...chain(7))).toEqual([
      `${AT}.primitive delegation_too_deep`,
    ]);
    const [, ...above] = chain(8);
    expect(found(over('t0', 'bottom'), over('bottom', 'read_file'), ...above)).toEqual([
      'definition delegation_too_deep',
    ]);
  });

  test('a workspace tool does not let a secret through other tools reach another host than its fixed one', () => {
    const user = over('user', 'through', { part: '${secrets.KEY}' });
    const through = (args: object) => fetching('through', args);
    expect(found(through({ url: 'https://h.example/?k=${query:part}' }), user)).toEqual([]);
    expect(found(through({ url: 'https://${part}' }), user)).toEqual(['definition secret_host_not_literal']);
    expect(found(over('through', 'read_file', { path: '${part}' }), user)).toEqual([
      'definition secret_not_allowed',
    ]);
    expect(found(user, through({ url: '${part}' }))).toEqual([`${AT}.primitive secret_host_not_literal`]);
  });

  test('the check of any workspace tool never throws, and an admitted set of tools always ends', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'exec', 'http_request', 'none');
    const args = fc.dictionary(
      fc.constantFrom('url', 'path', 'output_path'),
      fc.constantFrom('${secrets.K}', 'x', '${part}', '${'),
    );
    const tool = fc.oneof(
      fc.tuple(name, name, args).map(([own, to, given]) => over(own, to, given)),
      fc
        .tuple(
          name,
          fc.array(fc.tuple(fc.constantFrom('tool' as const, 'primitive' as const), name, args), {
            maxLength: 4,
          }),
        )
        .map(([own, refs]) => steps(own, ...refs)),
    );
    fc.assert(
      fc.property(fc.array(tool, { maxLength: 12 }), (saved) => {
        const kept = new Map<string, WorkspaceToolDraft>();
        for (const each of saved) {
          const others = [...kept.values()].filter((other) => other.name !== each.name);
          if (inspectWorkspaceTool(each, others).length === 0) kept.set(each.name, each);
        }
        for (const each of kept.keys()) expect(depthOf(each, kept)).toBeLessThanOrEqual(8);
      }),
    );
  });

  test('a workspace tool may nest as deep as a document can without exhausting the stack', () => {
    let deep: object = {};
    for (let level = 0; level < 50_000; level += 1) deep = { deep };
    expect(found(over('t', 'read_file', deep))).toEqual(['definition malformed']);
    expect(found(over('t', 'read_file', {}, deep))).toEqual(['definition malformed']);
    expect(found(mock('t', { response: deep as object }))).toEqual(['definition malformed']);
  });
});

/** Walks every path, as a call would; endless recursion overflows. */
function depthOf(name: string, tools: ReadonlyMap<string, WorkspaceToolDraft>): number {
  const { implementation, steps: parts = [] } = tools.get(name)?.definition ?? {};
  const to = [
    ...(implementation?.mode === 'delegate' ? [implementation.primitive] : []),
    ...parts.map(({ ref }) => ref.name),
  ];
  return tools.has(name) ? 1 + Math.max(0, ...to.map((next) => depthOf(next, tools))) : 0;
}
