import type { JsonValue, Payload } from '@agentclash/domain';
import { waitFor } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { BrokerOptions } from '../broker/broker.js';
import { CallRefused } from '../observer.js';
import { brokerOf, send, TOKEN } from '../testing/harness.js';
import type { BrokerTools, ToolCallResult } from './tool-endpoint.js';

type Call = { name: string; arguments: JsonValue };

const LOOKUP = {
  name: 'lookup',
  description: 'Reads a ticket.',
  parameters: { properties: { number: { type: 'integer' } }, additionalProperties: false },
};

/** A broker without models whose tools reply with `reply`. */
function serve(
  reply: (call: Call) => Promise<ToolCallResult> | ToolCallResult = () => ({ text: 'ok', isError: false }),
  options: Partial<BrokerOptions> = {},
) {
  const calls: Call[] = [];
  const tools: BrokerTools = {
    list: [LOOKUP],
    call: async (call) => {
      calls.push(call);
      return await reply(call);
    },
  };
  const opened = brokerOf('http://127.0.0.1:9', { models: new Map(), main: undefined, tools, ...options });
  const post = (body: unknown, method = 'POST') => send(opened.broker, { path: '/mcp', body, method });
  const rpc = async (method: string, params?: Payload) => {
    const { status, text } = await post({ jsonrpc: '2.0', id: 1, method, params });
    return { status, ...(JSON.parse(text) as { result?: Payload; error?: { code: number } }) };
  };
  return { ...opened, calls, post, rpc };
}

const callOf = (more: Payload = {}) => ({ name: 'lookup', arguments: { number: 7 }, ...more });

describe('The tools of an attempt by MCP', () => {
  test.each([
    ['2025-06-18', '2025-06-18'],
    ['2026-07-28', '2025-11-25'],
    [7, '2025-11-25'],
  ])('A client of version %s is offered version %s', async (protocolVersion, expected) => {
    const { rpc } = serve();
    expect(await rpc('initialize', { protocolVersion, capabilities: {} })).toMatchObject({
      status: 200,
      result: { protocolVersion: expected, capabilities: { tools: {} }, serverInfo: { name: 'agentclash' } },
    });
  });

  test('A list names each tool with a schema of an object', async () => {
    const { name, description, parameters } = LOOKUP;
    const { result } = await serve().rpc('tools/list');
    expect(result).toEqual({
      tools: [{ name, description, inputSchema: { ...parameters, type: 'object' } }],
    });
  });

  test('A call reaches the tools, and its reply is the text of the result', async () => {
    const { rpc, calls } = serve(({ name }) => ({ text: `${name} failed`, isError: true }));
    expect(await rpc('tools/call', callOf())).toMatchObject({
      result: { content: [{ type: 'text', text: 'lookup failed' }], isError: true },
    });
    expect((await rpc('tools/call', { name: 'other' })).status).toBe(200);
    expect(calls).toEqual([callOf(), { name: 'other', arguments: {} }]);
  });

  test('A notification and a reply receive no message', async () => {
    const { post } = serve();
    for (const body of [{ method: 'notifications/initialized' }, { id: 4, result: {} }]) {
      expect(await post({ jsonrpc: '2.0', ...body })).toMatchObject({ status: 202, text: '' });
    }
  });

  test.each(['GET', 'DELETE', 'HEAD'])(
    'A request by %s is refused: there is no stream to open',
    async (method) => {
      const { status, headers } = await serve().post(undefined, method);
      expect([status, headers.allow]).toEqual([405, 'POST']);
    },
  );

  test.each([
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32_600],
    ['text that is no JSON', '{', -32_700],
    ['JSON of 300 levels', `${'['.repeat(300)}${']'.repeat(300)}`, -32_700],
    ['a message without a version', '{"id":1,"method":"ping"}', -32_600],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600],
    ['params that are a list', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32_602],
  ])('A request is refused for %s', async (_title, body, code) => {
    const { status, text } = await serve().post(body);
    expect([status, JSON.parse(text)]).toMatchObject([400, { id: null, error: { code } }]);
  });

  test.each([
    ['server/discover', {}, -32_601],
    ['constructor', {}, -32_601],
    ['tools/call', {}, -32_602],
    ['tools/call', { name: 'x'.repeat(129) }, -32_602],
  ])('The method %s with %j is an error, and no call is made', async (method, params, code) => {
    const { rpc, calls } = serve();
    expect(await rpc(method, params)).toMatchObject({ status: 200, error: { code } });
    expect(calls).toEqual([]);
  });

  test('A message above the limit is refused, and the refusal is recorded', async () => {
    const { post, refused } = serve(undefined, { limits: { messageBytesMax: 1_000 } });
    expect((await post('x'.repeat(5_000))).status).toBe(413);
    expect(refused).toEqual([{ reason: 'too_large' }]);
  });

  test('A request without the token of the attempt is refused before it is read', async () => {
    const { broker, calls, refused } = serve();
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: callOf() };
    const headers = { authorization: `Bearer ${TOKEN}x` };
    expect((await send(broker, { path: '/mcp', body, headers })).status).toBe(401);
    expect([calls, refused]).toEqual([[], [{ reason: 'token' }]]);
  });

  test('A result above the limit is a tool error', async () => {
    const { rpc } = serve(() => ({ text: 'ü'.repeat(600), isError: false }), {
      limits: { toolResultBytesMax: 1_000 },
    });
    const { result } = await rpc('tools/call', callOf());
    expect(result).toEqual({
      content: [{ type: 'text', text: 'The result has more than 1000 B.' }],
      isError: true,
    });
  });

  test('A call that the attempt refuses is an error with the reason', async () => {
    const { rpc } = serve(() => {
      throw new CallRefused('limit', 'The attempt has reached its limit of tool calls.');
    });
    const error = { code: -32_000, message: 'The attempt has reached its limit of tool calls.' };
    expect(await rpc('tools/call', callOf())).toMatchObject({ error });
  });

  test('Calls above the limit wait, and those that wait at the end are never made', async () => {
    const releases: (() => void)[] = [];
    const reply = () =>
      new Promise<ToolCallResult>((resolve) => releases.push(() => resolve({ text: '', isError: false })));
    const { rpc, calls, broker } = serve(reply, { limits: { toolCallsAtOnce: 2 } });
    const replies = Array.from({ length: 5 }, () => rpc('tools/call', callOf()).catch(() => 'cut'));
    await waitFor(() => calls.length === 2);
    releases[0]?.();
    await waitFor(() => calls.length === 3);
    broker.close();
    for (const release of releases) release();
    const settled = await Promise.all(replies);
    expect(settled.filter((each) => each === 'cut')).toHaveLength(4);
    expect(calls).toHaveLength(3);
  });

  test('A broker without tools has no such endpoint, one without models serves no model', async () => {
    const withoutTools = brokerOf('http://127.0.0.1:9').broker;
    expect((await send(withoutTools, { path: '/mcp', body: {} })).status).toBe(404);
    const { broker, refused } = serve();
    expect((await send(broker, { path: '/v1/chat/completions', body: { model: 'x' } })).status).toBe(404);
    expect(refused).toEqual([{ reason: 'route' }]);
    const { text } = await send(broker, { path: '/v1/models', method: 'GET' });
    expect(JSON.parse(text)).toMatchObject({ data: [] });
  });

  test('Whatever a program sends, it receives a reply and the broker serves on', async () => {
    const { post, rpc } = serve();
    const message = fc.oneof(
      fc.json(),
      fc.string(),
      fc.record(
        {
          jsonrpc: fc.constantFrom('2.0', '1.0', 2),
          id: fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.object()),
          method: fc.constantFrom('initialize', 'ping', 'tools/list', 'tools/call', '__proto__', 7),
          params: fc.oneof(fc.object(), fc.record({ name: fc.string(), arguments: fc.jsonValue() })),
        },
        { requiredKeys: [] },
      ),
    );
    await fc.assert(
      fc.asyncProperty(message, async (body) => {
        expect([200, 202, 400]).toContain((await post(body)).status);
      }),
      { numRuns: 200 },
    );
    expect(await rpc('ping')).toMatchObject({ status: 200, result: {} });
  });
});
