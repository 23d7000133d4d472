import { describe, expect, test } from '@jest/globals';
import { McpServers } from './mcp-servers.js';

const problemsOf = (...servers: object[]) =>
  (McpServers.safeParse(servers).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

const ID = '00000000-0000-4000-8000-000000000001';
const COMMAND = { name: 'math', command: ['python3', 'server.py'] };

describe('Servers of tools in a deployment', () => {
  test('A command with files and a URL with headers are accepted', () => {
    expect(
      problemsOf(
        { ...COMMAND, env: { LOG: 'quiet' }, files: [{ path: 'server.py', artifact_id: ID }] },
        {
          name: 'tickets',
          url: 'https://tickets.example.com/mcp',
          headers: { Authorization: 'Bearer ${secrets.TICKETS}' },
        },
      ),
    ).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['neither command nor url', { name: 'a' }, '0.command: is required, or else url'],
    ['both', { ...COMMAND, url: 'https://x' }, '0.command: conflicts with url: give one of them'],
    ['headers of a command', { ...COMMAND, headers: {} }, '0.headers: is for a url'],
    ['files of a url', { name: 'a', url: 'https://x', files: [] }, '0.files: is for a command'],
    [
      'a name with the separator',
      { ...COMMAND, name: 'a__b' },
      '0.name: must be 1 to 24 of A to Z, a to z, digits and -, beginning with a letter',
    ],
    [
      'a path out of its folder',
      { ...COMMAND, files: [{ path: '../x', artifact_id: ID }] },
      '0.files.0.path: must be relative, without ".." and backslashes',
    ],
    ['an unknown member', { ...COMMAND, cwd: '/' }, '0: Unrecognized key: "cwd"'],
  ])('A server with %s is refused', (_title, server, problem) => {
    expect(problemsOf(server)).toEqual([problem]);
  });

  test('Two servers of one name, and more than eight, are refused', () => {
    expect(problemsOf(COMMAND, COMMAND)).toEqual(['1.name: is the name of two servers']);
    const nine = Array.from({ length: 9 }, (_, at) => ({ ...COMMAND, name: `s${at}` }));
    expect(problemsOf(...nine)).toHaveLength(1);
  });
});
