import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadCredentials, openLayout, type RunningStack, startLocalStack } from '@agentclash/local-stack';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { ApiDriver } from './api-driver.js';
import { type HostileRequest, hostileRequests } from './hostile-requests.js';

jest.setTimeout(240_000);

/** Streams and calls that wait for a model are not for thousands of tries. */
const LEFT_OUT = new Set(['providerAccounts_test', 'vaultKeys_rotate', 'vaultKeys_retire']);
const TRIES = 1_500;
const AT_ONCE = 16;

describe('hostile requests', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-hostile-'));
  const data = path.join(folder, 'data');
  let stack: RunningStack;
  let api: ApiDriver;
  let operator: string;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    stack = await startLocalStack({
      allowLoopbackEndpoints: true,
      data,
      writeUserFile: false,
      logLevel: 'error',
    });
    operator = (await loadCredentials(await openLayout(data), false)).operatorToken;
    api = await ApiDriver.open(stack.url, stack.token);
  });
  afterAll(async () => {
    await stack?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Got {
    status: number;
    type: string;
    text: string;
  }

  /** Unchanged: fetch would tidy the address up. */
  async function send({ method, target, headers, body }: HostileRequest, token = stack.token): Promise<Got> {
    const { hostname, port } = new URL(stack.url);
    const wired = httpRequest({
      ...{ hostname, port, method, path: target },
      headers: {
        authorization: `Bearer ${token}`,
        ...headers,
        ...(body && { 'content-length': body.length }),
      },
    });
    // A refused body may not be read to its end.
    wired.on('error', () => {});
    if (body) wired.write(body);
    wired.end();
    const [response] = (await once(wired, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text };
  }

  test('hostile requests get a response that names the problem: never a 500, an internal detail, or nothing', async () => {
    const operations = api.operations.filter(({ id }) => !LEFT_OUT.has(id));
    const statuses = new Map<number, number>();
    const tries = fc.sample(hostileRequests(operations), { numRuns: TRIES, seed: 20_261_122 });
    const before = process.memoryUsage().rss;
    for (let at = 0; at < tries.length; at += AT_ONCE) {
      await Promise.all(
        tries.slice(at, at + AT_ONCE).map(async (request, index) => {
          const response = await send(request, index % 8 === 0 ? operator : stack.token);
          const exchange = {
            request: {
              ...request,
              body: Buffer.from(request.body ?? [])
                .toString()
                .slice(0, 200),
            },
            response,
          };
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
          if (response.status >= 500) throw new Error(JSON.stringify(exchange));
          if (response.status < 400) return;
          if (!response.type.startsWith('application/problem+json'))
            throw new Error(JSON.stringify(exchange));
          const problem = JSON.parse(response.text) as { status: number; code: string; request_id: string };
          expect(problem).toMatchObject({
            status: response.status,
            code: expect.any(String),
            request_id: expect.any(String),
          });
          if (
            /prisma|postgres|\bat \/|node_modules|nats/i.test(response.text.replaceAll(request.target, ''))
          ) {
            throw new Error(`internals in a response: ${JSON.stringify(exchange)}`);
          }
        }),
      );
    }
    // They got far enough to mean something.
    expect((statuses.get(422) ?? 0) + (statuses.get(400) ?? 0)).toBeGreaterThan(TRIES / 10);
    expect(process.memoryUsage().rss - before).toBeLessThan(600 * 1_048_576);
    expect(await stack.status()).not.toMatchObject({ gateway: { ready: false } });
  });

  test("requests for another workspace's resources get the response of resources that do not exist, to the byte", async () => {
    await api.expect(201, 'workspaces_create', { token: operator, body: { slug: 'theirs' } });
    const { body } = await api.expect(201, 'tokens_create', {
      token: operator,
      params: { ws: 'theirs' },
      body: { name: 'theirs', role: 'admin' },
    });
    const their = { token: body.token as string, params: { ws: 'theirs' } };
    const profile = await api.expect(201, 'profiles_create', { ...their, body: { name: 'theirs' } });
    const deployment = await api.expect(201, 'deployments_create', {
      ...their,
      body: { name: 'theirs', kind: 'scripted', config: { steps: [{ answer: 'x' }] } },
    });
    const ids = { profile_id: profile.body.id, deployment_id: deployment.body.id, token_id: body.id };
    const unknown = '01900000-0000-7000-8000-00000000beef';
    for (const { id, path: address, bodies, method } of api.operations) {
      const [name = ''] = Object.keys(ids).filter((each) => address.endsWith(`{${each}}`));
      if (name === '' || method === 'POST') continue;
      const spec = { name: 'mine', kind: 'scripted', config: { steps: [{ answer: 'x' }] } };
      const request = bodies.length === 0 ? {} : { body: name === 'profile_id' ? { name: 'mine' } : spec };
      const theirs = await api.expect(404, id, {
        ...request,
        params: { [name]: ids[name as keyof typeof ids] },
      });
      const nobodys = await api.expect(404, id, { ...request, params: { [name]: unknown } });
      const plain = (text: object, own: string) =>
        JSON.stringify({ ...text, request_id: '' }).replaceAll(own, 'ID');
      expect(plain(theirs.body, ids[name as keyof typeof ids])).toBe(plain(nobodys.body, unknown));
      expect([...theirs.headers.keys()].sort()).toEqual([...nobodys.headers.keys()].sort());
    }
    const run = { challenge_pack_version_id: unknown, deployment_ids: [deployment.body.id] };
    expect((await api.call('runs_create', { body: run })).status).toBe(404);
  });

  test('connections that send no HTTP at all, or never end, cost the server nothing', async () => {
    const { hostname, port } = new URL(stack.url);
    const open = (text: string) => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      socket.write(text);
      return socket;
    };
    const garbage = [
      '\u0000\u0001\u0002\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      `GET /${'a'.repeat(70_000)} HTTP/1.1\r\n\r\n`,
    ];
    for (const text of garbage) {
      const socket = open(text);
      socket.resume();
      await once(socket, 'close');
    }
    const head = `POST /v1/workspaces/default/runs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stack.token}\r\nContent-Type: application/json\r\n`;
    const slow = Array.from({ length: 200 }, () => open(`${head}Content-Length: 1000\r\n\r\n{`));
    const smuggled = open(
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n`,
    );
    let received = '';
    smuggled.on('data', (chunk) => {
      received += chunk;
    });
    await once(smuggled, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 400/);
    // Two hundred that send nothing more do not keep other clients from being served.
    await api.expect(200, 'workspaces_whoami');
    for (const socket of slow) socket.destroy();
  });
});
