import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { command, emptyFolder, removeFolders } from './testing/command.js';
import { startHttp } from './testing/mcp-client.js';

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

interface Sent {
  headers?: Record<string, string>;
  method?: string;
  path?: string;
  body?: string;
}

describe('agentclash mcp --http', () => {
  let server: Awaited<ReturnType<typeof startHttp>>;
  beforeAll(async () => {
    server = await startHttp(emptyFolder());
  });
  afterAll(async () => {
    await server?.stop();
    removeFolders();
  });

  /** `fetch` sets the header Host itself. */
  async function send({
    headers = {},
    method = 'POST',
    path = '/mcp',
    body = LIST,
  }: Sent): Promise<{ status: number; text: string }> {
    const { port } = new URL(server.url);
    const sent = {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    };
    const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
    return await new Promise((resolve, reject) => {
      const sending = request({ host: '127.0.0.1', port, method, path, headers: given }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sending.once('error', reject);
      sending.end(method === 'GET' ? undefined : body);
    });
  }

  test.each<[string, Sent, number]>([
    ['the name of another site (DNS rebinding)', { headers: { host: 'evil.example' } }, 403],
    ['that name with a port', { headers: { host: 'evil.example:7421' } }, 403],
    ['a name that begins like ours', { headers: { host: '127.0.0.1.evil.example' } }, 403],
    ['the origin of a web page', { headers: { origin: 'https://evil.example' } }, 403],
    ['the origin of a page of this machine', { headers: { origin: 'http://localhost:3000' } }, 403],
    ['no token', { headers: { authorization: '' } }, 401],
    ['another token', { headers: { authorization: 'Bearer 0' } }, 401],
    ['another path', { path: '/' }, 404],
    ['an unknown session', { headers: { 'mcp-session-id': 'none' } }, 404],
    ['no session and no initialisation', {}, 400],
    ['a body that is too large', { body: `"${'x'.repeat(2_000_000)}"` }, 400],
    ['no JSON', { body: '{' }, 400],
  ])('a request with %s is refused', async (_what, sent, status) => {
    const refused = await send(sent);
    expect(refused.status).toBe(status);
    expect(refused.text).not.toContain('validate');
    expect(refused.text).not.toContain(server.token);
  });

  test('a refused page of another site learns nothing about the token', async () => {
    const right = await send({ headers: { host: 'evil.example' } });
    const wrong = await send({ headers: { host: 'evil.example', authorization: 'Bearer 0' } });
    expect(right).toEqual(wrong);
  });

  test('no other interface of the machine has the port open', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of others) {
      const code = await new Promise((resolve) => {
        const socket = connect(Number(new URL(server.url).port), address);
        socket
          .once('connect', () => resolve('open'))
          .once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      });
      expect(code).toBe('ECONNREFUSED');
    }
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
  });

  test('the token of the environment is used, and a short one is refused', async () => {
    const token = 'kept-token-0123456789';
    const kept = await startHttp(emptyFolder(), { env: { AGENTCLASH_MCP_TOKEN: token } });
    await kept.stop();
    expect(kept.token).toBe(token);
    const short = await command(['mcp', '--http', '0'], { env: { AGENTCLASH_MCP_TOKEN: 'short' } });
    expect(short).toMatchObject({ code: 64, stderr: expect.stringContaining('16 characters') });
  });

  test('a port that is in use is reported with the next step', async () => {
    const { port } = new URL(server.url);
    const refused = await command(['mcp', '--http', port]);
    expect(refused).toMatchObject({ code: 69, stderr: expect.stringContaining('--http 0 takes a free one') });
  });
});
