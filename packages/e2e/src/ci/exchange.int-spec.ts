import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runJob } from './job.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-ci-'));
let server: Server;
let seen: { url: string; authorization: string | undefined; body: string }[] = [];
let status = 200;

/** The identity provider of the runner, and a server of ours that knows tokens alone. */
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    seen.push({ url: request.url ?? '', authorization: request.headers.authorization, body });
    const isIdentity = request.url?.startsWith('/identity');
    response.writeHead(isIdentity ? 200 : status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isIdentity ? { value: 'a.job.identity' } : { access_token: 'ac_short' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const inputs = () => ({
  'api-url': `${url()}/`,
  workspace: 'team',
  deployments: 'a',
  pack: 'p',
  command: 'false',
});
const env = () => ({
  PATH: process.env.PATH,
  ACTIONS_ID_TOKEN_REQUEST_URL: `${url()}/identity?v=1`,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'runner',
});

describe('a job without a token', () => {
  test('a job exchanges its identity for a token, which is masked in the log', async () => {
    seen = [];
    status = 200;
    const { log, folder: at } = await runJob(inputs(), { parent: folder, env: env() });
    expect(seen).toEqual([
      { url: '/identity?v=1&audience=agentclash', authorization: 'Bearer runner', body: '' },
      {
        url: '/v1/token-exchange',
        authorization: undefined,
        body: JSON.stringify({ subject_token: 'a.job.identity', workspace: 'team' }),
      },
    ]);
    expect(log).toContain('::add-mask::a.job.identity');
    expect(log).toContain('::add-mask::ac_short');
    expect(readFileSync(path.join(at, 'output-token'), 'utf8')).toBe('token=ac_short\n');
  });

  test('a job fails with a next step where it has no identity, and with the response where it is refused', async () => {
    const none = await runJob(inputs(), { parent: folder, env: { PATH: process.env.PATH } });
    expect(none).toMatchObject({ code: 77, log: expect.stringContaining('id-token: write') });
    status = 403;
    const refused = await runJob(inputs(), { parent: folder, env: env() });
    expect(refused).toMatchObject({ code: 77, log: expect.stringContaining('answered 403') });
  });
});
