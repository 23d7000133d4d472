import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AttemptPlan } from '@agentclash/attempt-plan';
import type { CustomTool, JsonObject } from '@agentclash/challengepack';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AttemptHarness, runCalls } from '../testing/attempt-harness.js';
import { attemptPlan } from '../testing/plans.js';

const harness = new AttemptHarness();
let server: Server;
let origin: string;
const seen: { url?: string; authorization?: string; body: string }[] = [];

const NO_TEXT = Buffer.of(0xff);

beforeAll(async () => {
  await harness.open();
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { authorization } = request.headers;
      seen.push({ url: request.url, authorization, body });
      if (request.url === '/items/binary') {
        response.end(
          Buffer.concat([NO_TEXT, Buffer.from(Buffer.from(authorization ?? '').toString('hex')), NO_TEXT]),
        );
        return;
      }
      response.setHeader('content-type', 'application/json');
      response.setHeader('set-cookie', 'session=1');
      response.end(JSON.stringify({ echo: authorization ?? null, stock: 12 }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await harness.close();
  await new Promise((resolve) => server.close(resolve));
});

const calls = (steps: [string, JsonObject][], changes: Partial<AttemptPlan>) =>
  runCalls(harness, steps, changes);

describe('http_request through a composed tool', () => {
  const SECRET = 'sk-live-9f8e7d6c5b4a';
  const network = () => ({
    tool_policy: { allowed_tool_kinds: ['network' as const, 'file' as const] },
    sandbox: {
      ...attemptPlan({ kind: 'scripted', config: { steps: [] } }).sandbox,
      network_access: true,
      network_allowlist: ['127.0.0.1/32'],
    },
  });
  const inventory = (): CustomTool => ({
    name: 'check_inventory',
    description: 'Stock of an item.',
    parameters: {
      type: 'object',
      properties: { sku: { type: 'string' } },
      required: ['sku'],
      additionalProperties: false,
    },
    implementation: {
      primitive: 'http_request',
      args: {
        method: 'POST',
        url: `${origin}/items/\${path:sku}`,
        headers: { Authorization: 'Bearer ${secrets.INVENTORY}' },
        body: '{"sku": ${json:sku}}',
      },
    },
  });
  const tools = (...custom: CustomTool[]) => ({ tools: { custom, workspace: [], allowed: [], denied: [] } });

  test('http_request sends the secret and shows it nowhere', async () => {
    harness.secrets.set('INVENTORY', SECRET);
    const { read, events } = await calls([['check_inventory', { sku: 'a/b "1"' }]], {
      ...network(),
      ...tools(inventory()),
    });
    expect(seen.at(-1)).toEqual({
      url: '/items/a%2Fb%20%221%22',
      authorization: `Bearer ${SECRET}`,
      body: '{"sku": "a/b \\"1\\""}',
    });
    expect(read).toMatchObject([
      {
        ok: true,
        result: {
          status_code: 200,
          headers: { 'set-cookie': '[redacted]' },
          body: '{"echo":"Bearer [redacted:INVENTORY]","stock":12}',
        },
      },
    ]);
    expect(events.text()).not.toContain(SECRET);
    expect(events.payloads('tool.call.completed')).toMatchObject([
      {
        tool_name: 'check_inventory',
        layer: 'pack',
        resolved_tool: 'http_request',
        kind: 'network',
        resolution_chain: [
          { name: 'check_inventory', layer: 'pack' },
          { name: 'http_request', layer: 'primitive' },
        ],
      },
    ]);
    expect(events.payloads('network.request.completed')).toMatchObject([
      { method: 'POST', host: '127.0.0.1', status: 200 },
    ]);
  });

  test('http_request redacts an encoded secret in a response that is no text', async () => {
    harness.secrets.set('INVENTORY', SECRET);
    const { read } = await calls([['check_inventory', { sku: 'binary' }]], {
      ...network(),
      ...tools(inventory()),
    });
    const bearer = Buffer.from('Bearer ').toString('hex');
    const body = Buffer.concat([NO_TEXT, Buffer.from(`${bearer}[redacted:INVENTORY]`), NO_TEXT]);
    expect(read).toMatchObject([{ result: { body_encoding: 'base64', body: body.toString('base64') } }]);
  });

  test('a secret stays opaque through a chain, and errors name the tool that the agent called', async () => {
    harness.secrets.set('INVENTORY', SECRET);
    const call_api: CustomTool = {
      name: 'call_api',
      parameters: {
        type: 'object',
        properties: { token: { type: 'string', maxLength: 3 }, path: { type: 'string' } },
      },
      implementation: {
        primitive: 'http_request',
        args: { method: 'GET', url: `${origin}/${'$'}{path:path}`, headers: { Authorization: '${token}' } },
      },
    };
    const lookup: CustomTool = {
      name: 'lookup',
      parameters: { type: 'object', properties: { path: { type: 'string' } } },
      implementation: { primitive: 'call_api', args: { token: 'Key ${secrets.INVENTORY}', path: '${path}' } },
    };
    const { read, events } = await calls(
      [
        ['lookup', { path: 'x' }],
        ['lookup', {}],
        ['lookup', { path: '..' }],
      ],
      { ...network(), ...tools(lookup, call_api) },
    );
    expect(seen.at(-1)).toMatchObject({ url: '/x', authorization: `Key ${SECRET}` });
    expect(read).toMatchObject([
      { ok: true },
      { ok: false, result: { code: 'missing_parameter', error: expect.stringMatching(/^lookup failed: /) } },
      { ok: false, result: { code: 'unsafe_path_segment' } },
    ]);
    expect(events.payloads('tool.call.failed').map((each) => each.failure_origin)).toEqual([
      'resolution',
      'resolution',
    ]);
    expect(events.text()).not.toContain(SECRET);
  });

  test('http_request without an allow-list reaches no loopback address', async () => {
    const { sandbox, ...rest } = network();
    const { read, events } = await calls([['http_request', { method: 'GET', url: origin }]], {
      ...rest,
      sandbox: { ...sandbox, network_allowlist: [] },
    });
    expect(read).toMatchObject([
      { ok: false, result: { code: 'egress_blocked', error: 'egress_blocked: loopback' } },
    ]);
    expect(events.payloads('network.request.blocked')).toMatchObject([{ reason: 'loopback' }]);
  });

  test('http_request stores a body in the workspace', async () => {
    const { read } = await calls(
      [
        ['http_request', { method: 'GET', url: origin, output_path: 'out/page.json' }],
        ['read_file', { path: 'out/page.json' }],
      ],
      network(),
    );
    expect(read).toMatchObject([
      { ok: true, result: { output_path: 'out/page.json', bytes_downloaded: 24 } },
      { ok: true, result: { content: '{"echo":null,"stock":12}' } },
    ]);
  });

  test('http_request stops a planted secret before a byte has left, and the attempt with it', async () => {
    const planted_secrets = [{ name: 'trap', value: 'planted-value-1', location: 'tool-output' as const }];
    const before = seen.length;
    const { result, events } = await calls(
      [
        ['list_files', {}],
        [
          'http_request',
          { method: 'POST', url: origin, body: Buffer.from('x planted-value-1').toString('base64') },
        ],
      ],
      { ...network(), planted_secrets },
    );
    expect(result).toMatchObject({ outcome: 'policy_violation' });
    expect(seen).toHaveLength(before);
    expect(events.payloads('policy.violation')).toMatchObject([{ rule: 'canary_in_egress' }]);
    expect(events.payloads('tool.call.completed')).toMatchObject([{ result: { trap: 'planted-value-1' } }]);
  });

  test('a vault that does not reply is no error of the agent', async () => {
    harness.secrets.delete('INVENTORY');
    const { result } = await calls([['check_inventory', { sku: 'x' }]], {
      ...network(),
      ...tools(inventory()),
    });
    expect(result).toMatchObject({
      outcome: 'infra_error',
      error: { code: 'vault_unreachable', retryable: true },
    });
  });
});
