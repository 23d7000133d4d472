import { describe, expect, test } from '@jest/globals';
import { readDeploymentFile } from './read.js';
import { afterTheirDelegates, toolProblems } from './tools.js';

const tool = (name: string, primitive: string, args = '{}') =>
  `{name: ${name}, tool_kind: primitive, definition: {implementation: {mode: delegate, primitive: ${primitive}, args: ${args}}}}`;
const fileOf = (...tools: string[]) =>
  readDeploymentFile(['tools:', ...tools.map((each) => `  - ${each}`)].join('\n'));
const problemLines = (file: ReturnType<typeof fileOf>, stored: object[] = []) =>
  toolProblems(file, stored).map(({ line, code, field }) => `${line} ${code} ${field}`);
const stored = (name: string, primitive: string) => ({
  ...{ name, tool_kind: 'primitive', lifecycle_status: 'active' },
  definition: { implementation: { mode: 'delegate', primitive, args: {} } },
});

describe('tools of a deployment file', () => {
  test('tools are checked by the rules of publishing, all at once, at their lines', () => {
    const file = fileOf(
      tool('exec', 'read_file'),
      tool('lost', 'nowhere'),
      tool('open', 'read_file', '{path: "${parameters.path"}'),
      tool('fine', 'read_file', '{path: a}'),
    );
    expect(file.problems).toEqual([]);
    expect(problemLines(file)).toEqual([
      '2 reserved_name tools[0].name',
      '3 unknown_reference tools[1].definition.implementation.primitive',
      expect.stringMatching(/^4 \w+ tools\[2\]\.definition\.implementation\.args/),
    ]);
  });

  test('tools may delegate to each other and to those of the workspace, and form no cycle with them', () => {
    const file = fileOf(tool('upper', 'lower'), tool('lower', 'theirs'));
    expect(problemLines(file)).toContain('3 unknown_reference tools[1].definition.implementation.primitive');
    expect(problemLines(file, [stored('theirs', 'list_files')])).toEqual([]);
    expect(problemLines(file, [stored('theirs', 'upper')]).join()).toContain('delegation_cycle');
  });

  test('tools replace those of the workspace with the same names', () => {
    const file = fileOf(tool('user', 'same'), tool('same', 'list_files'));
    expect(problemLines(file, [stored('same', 'user')])).toEqual([]);
  });

  test('tools are created after those that they delegate to, in their place among the other resources', () => {
    const { entries } = readDeploymentFile(`
runtime_profiles: [{name: p}]
tools:
  - ${tool('c', 'b')}
  - ${tool('b', 'a')}
  - ${tool('a', 'list_files')}
  - ${tool('x', 'y')}
  - ${tool('y', 'x')}
deployments: [{name: d, kind: scripted, config: {}}]
`);
    expect(afterTheirDelegates(entries).map(({ name }) => name)).toEqual(['p', 'a', 'b', 'c', 'y', 'x', 'd']);
  });
});
