import { serverHeaderProblem, serverSecrets } from '@agentclash/challengepack';
import type { McpServer } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { unsendable } from './literal-values.js';
import { mcpServerProblems } from './mcp-server-rules.js';

const found = (server: Omit<McpServer, 'name'>) =>
  mcpServerProblems([
    { name: 'ok', command: ['ok'] },
    { name: 'a', ...server },
  ]).map(({ code, field }) => `${code} ${field.replace('config.mcp_servers[1].', '')}`);
const URL = 'https://tickets.example.com/mcp?team=1';

describe('Servers of tools of a deployment', () => {
  test('A secret in a header to https, and to a private address, is accepted', () => {
    const headers = { Authorization: 'Bearer ${secrets.TICKETS}', 'X-Price': '$${5}' };
    expect(found({ url: URL, headers })).toEqual([]);
    expect(found({ url: 'http://127.0.0.1:8080/mcp', headers })).toEqual([]);
    expect(serverSecrets([{ name: 'a', headers }])).toEqual(['TICKETS']);
  });

  test.each<[string, string[]]>([
    ['tickets.example.com', ['invalid_url url']],
    ['ftp://tickets.example.com', ['invalid_url url']],
    ['https://me:pass@tickets.example.com', ['invalid_url url']],
    ['https://tickets.example.com/#a', ['invalid_url url']],
    ['https://tickets.example.com/${secrets.TICKETS}', ['wrong_reference url']],
  ])('The URL %s is refused', (url, problems) => {
    expect(found({ url })).toEqual(problems);
  });

  test('A secret over plain http to a public host is refused, another header is not', () => {
    const url = 'http://tickets.example.com/mcp';
    expect(found({ url, headers: { 'X-Key': '${secrets.TICKETS}' } })).toEqual(['secret_over_http url']);
    expect(found({ url, headers: { 'X-Client': 'agentclash' } })).toEqual([]);
  });

  test.each<[string, string, string]>([
    ['Content-Type', 'text/plain', 'header_not_allowed headers.Content-Type'],
    ['mcp-session-id', '1', 'header_not_allowed headers.mcp-session-id'],
    ['Host', 'x', 'header_not_allowed headers.Host'],
    ['X-Key', 'workspace-secret://TICKETS', 'wrong_reference headers.X-Key'],
    ['X-Key', '${name}', 'wrong_reference headers.X-Key'],
    ['X-Key', '${json:secrets.TICKETS}', 'wrong_reference headers.X-Key'],
    ['X-Key', '${secrets.TICKETS', 'wrong_reference headers.X-Key'],
  ])('The header %s of %s is refused', (name, value, problem) => {
    expect(found({ url: URL, headers: { [name]: value } })).toEqual([problem]);
  });

  test('A header that the client sets itself is one that no server of a pack has either', () => {
    const names = [
      'host',
      'connection',
      'keep-alive',
      'te',
      'trailer',
      'transfer-encoding',
      'content-length',
    ];
    for (const name of [...names, 'upgrade', 'expect', 'accept-encoding', 'proxy-authorization']) {
      expect(unsendable({ [name]: '1' }, 'headers')).toMatchObject([{ code: 'header_not_allowed' }]);
      expect(serverHeaderProblem(name, '1')).toMatchObject({ code: 'header_not_allowed' });
    }
  });

  test('No secret is passed to a command', () => {
    expect(found({ command: ['server', '--key', '${secrets.TICKETS}'] })).toEqual([
      'wrong_reference command.2',
    ]);
    expect(found({ command: ['server'], env: { KEY: '${secrets.TICKETS}', AGENTCLASH_X: '1' } })).toEqual([
      'reserved_name env.AGENTCLASH_X',
      'wrong_reference env.KEY',
    ]);
  });
});
