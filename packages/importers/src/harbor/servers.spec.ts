import { describe, expect, test } from '@jest/globals';
import { below, harborTask, TASK } from '../testing/harbor-task.js';
import { imported, importProblems } from '../testing/imported.js';
import { memorySource } from '../testing/memory-source.js';

describe('MCP servers of Harbor tasks', () => {
  const server = (more: string) =>
    `[environment]\n[[environment.mcp_servers]]\nname = "notes server!"\n${more}`;
  const command = server('command = "python3"\nargs = ["-m", "notes"]\n');

  test('a server that is a command becomes a server of the pack', async () => {
    const { pack, fates } = await harborTask({ 'task.toml': command });
    expect(fates).toContain('carried mcp_servers');
    expect(pack.tools?.mcp_servers).toEqual([{ name: 'notes-server', command: ['python3', '-m', 'notes'] }]);
  });

  test('a server at a URL is in a container of its own, so that the task cannot run', async () => {
    const found = await importProblems(
      'harbor',
      memorySource({ ...TASK, 'task.toml': server('url = "http://notes:8000/mcp"\n') }),
    );
    expect(found.at(-1)?.message).toContain('(http://notes:8000/mcp) is beside the sandbox');
  });

  test('a task whose servers the other tasks lack is left out', async () => {
    const { cases, report } = await imported(
      'harbor',
      memorySource({ ...below('one', TASK), ...below('two', { ...TASK, 'task.toml': command }) }),
    );
    expect(cases.map(({ case_key }) => case_key)).toEqual(['one']);
    expect(report.items).toContainEqual(
      expect.objectContaining({
        ...{ fate: 'dropped', key: 'two' },
        reason: expect.stringContaining('not all tasks have notes-server: import the task alone'),
      }),
    );
  });
});
