import { once } from 'node:events';
import { type Payload, WIRE_KEYS } from '@agentclash/domain';
import { waitFor } from '@agentclash/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { CallRefused } from '../observer.js';
import { prepareCall } from '../prepare.js';
import { CHAT, CHAT_REPLY, EXCHANGES, TASK } from '../testing/exchanges.js';
import { brokerOf, connect, KEY, RawProvider, send, sse, TOKEN } from '../testing/harness.js';

const { chat } = EXCHANGES;
let provider: RawProvider;
let baseUrl: string;
beforeEach(async () => {
  provider = new RawProvider();
  baseUrl = await provider.start();
  provider.handler = (_received, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(CHAT_REPLY));
  };
});
afterEach(async () => await provider.close());

describe('A forwarded call', () => {
  test.each(WIRE_KEYS)(
    'A forwarded call passes a stream of the %s API on byte for byte and records it',
    async (key) => {
      const { path, sentTo, body, events, keyHeader } = EXCHANGES[key];
      const bytes = `${sse(events)}${key === 'chat' ? 'data: [DONE]\n\n' : ''}`;
      provider.handler = (_received, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
        // Cut inside of a character: the reader must not depend on how the bytes are parted.
        const whole = Buffer.from(bytes);
        const cut = whole.indexOf(Buffer.from('ö')) + 1;
        response.write(whole.subarray(0, cut), () => response.end(whole.subarray(cut)));
      };
      const { broker, calls, refused, released } = brokerOf(baseUrl);
      const reply = await send(broker, { path, body: { ...body, unknown_field: { kept: [1] } } });
      expect(reply).toMatchObject({ status: 200, text: bytes, isCut: false });
      expect(reply.headers['content-type']).toBe('text/event-stream; charset=utf-8');

      const [sent] = provider.received;
      expect(sent).toMatchObject({
        path: sentTo,
        headers: { [keyHeader[0]]: keyHeader[1] },
        body: { unknown_field: { kept: [1] }, ...(key !== 'google' && { model: 'real-main' }) },
      });
      expect(JSON.stringify(sent)).not.toContain(TOKEN);

      expect(calls).toMatchObject([
        {
          alias: 'main',
          wire: key,
          isStream: true,
          conversation: { messages: [{ role: 'user', text: TASK }] },
          end: {
            kind: 'completed',
            tries: 1,
            reply: { text: 'dönë', finishReason: 'stop', usage: { input: 7, output: 3 } },
          },
        },
      ]);
      expect({ refused, released }).toEqual({ refused: [], released: ['success'] });
      broker.close();
    },
  );

  test('A forwarded call passes each part of a stream on before the next one exists', async () => {
    const [first, ...rest] = chat.events;
    provider.handler = (_received, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sse([first as Payload]));
      provider.received.length = 0;
      response.once('continue', () => response.end(sse(rest)));
      open = response;
    };
    let open: { emit: (name: string) => boolean } | undefined;
    const { broker } = brokerOf(baseUrl);
    let isFirst = true;
    const reply = await send(broker, {
      ...chat,
      onData: () => {
        // The provider continues only after the program has received the first part.
        if (isFirst) open?.emit('continue');
        isFirst = false;
      },
    });
    expect(reply).toMatchObject({ text: sse(chat.events), isCut: false });
    broker.close();
  });

  test('A forwarded call uses the alias that the request names, and `main` for any other name', async () => {
    const { broker, calls } = brokerOf(baseUrl);
    for (const model of ['small', 'claude-haiku-9', 'constructor', undefined]) {
      await send(broker, { ...CHAT, body: { ...CHAT.body, model } });
    }
    expect(calls.map(({ alias, requestedModel }) => [alias, requestedModel])).toEqual([
      ['small', 'small'],
      ['main', 'claude-haiku-9'],
      ['main', 'constructor'],
      ['main', undefined],
    ]);
    expect(provider.received.map(({ body }) => body.model)).toEqual([
      'real-small',
      'real-main',
      'real-main',
      'real-main',
    ]);
    broker.close();
  });

  test('A forwarded call may name the model as the provider does; of two aliases of one model that is `main`', async () => {
    const { broker, calls } = brokerOf(baseUrl);
    for (const model of ['real-main', 'real-small']) {
      await send(broker, { ...CHAT, body: { ...CHAT.body, model } });
    }
    expect(calls.map(({ alias }) => alias)).toEqual(['main', 'small']);
    broker.close();
    const same = { main: 'one', first: 'one', second: 'two', third: 'two', two: 'three' };
    const prepared = (model: string) =>
      prepareCall({
        wire: 'chat',
        kind: 'call',
        body: Buffer.from(JSON.stringify({ ...CHAT.body, model })),
        path: {},
        models: same,
        main: 'main',
        allowsServerFeatures: false,
      });
    expect(['one', 'first', 'second', 'third', 'two', 'three'].map(prepared)).toMatchObject([
      { alias: 'main' },
      { alias: 'first' },
      { alias: 'second' },
      { alias: 'third' },
      // An alias goes before the name of a model.
      { alias: 'two' },
      { alias: 'two' },
    ]);
  });

  test('A request to count tokens is forwarded without being a call of the attempt, within its own limit', async () => {
    provider.handler = (_received, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":12}');
    };
    const { broker, calls, limit, refused } = brokerOf(baseUrl);
    const { body } = EXCHANGES.anthropic;
    const reply = await send(broker, { path: '/v1/messages/count_tokens', body });
    expect(reply).toMatchObject({ status: 200, text: '{"input_tokens":12}' });
    limit.error = new CallRefused('limit', 'The attempt has counted tokens often enough.');
    const late = await send(broker, { path: '/v1/messages/count_tokens', body });
    expect(late).toMatchObject({ status: 403, text: expect.stringContaining('often enough') });
    expect(refused).toMatchObject([{ reason: 'limit' }]);
    expect(provider.received).toMatchObject([{ path: '/messages/count_tokens' }]);
    expect(calls).toEqual([]);
    broker.close();
  });

  test('A request for the models lists the aliases, in the form of each API', async () => {
    const { broker } = brokerOf(baseUrl);
    const openai = await send(broker, { path: '/v1/models', method: 'GET' });
    expect(JSON.parse(openai.text)).toMatchObject({
      data: [{ id: 'main' }, { id: 'small' }, { id: 'only-chat' }],
    });
    const google = await send(broker, { path: '/v1beta/models', method: 'GET' });
    expect(JSON.parse(google.text)).toMatchObject({ models: [{ name: 'models/main' }, {}, {}] });
    expect(provider.received).toEqual([]);
    broker.close();
  });
});

describe('The token of the attempt', () => {
  test('The token of the attempt is accepted in each form that clients use', async () => {
    const { broker } = brokerOf(baseUrl);
    const forms: { headers: Record<string, string>; path?: string }[] = [
      { headers: { authorization: `Bearer ${TOKEN}` } },
      { headers: { 'x-api-key': TOKEN } },
      { headers: { 'x-goog-api-key': TOKEN } },
      { headers: {}, path: `${CHAT.path}?key=${TOKEN}` },
    ];
    for (const form of forms) expect((await send(broker, { ...CHAT, ...form })).status).toBe(200);
    expect(JSON.stringify(provider.received)).not.toContain(TOKEN);
    broker.close();
  });

  test('The token of the attempt is required: without it nothing is called, listed or confirmed', async () => {
    const { broker, refused } = brokerOf(baseUrl);
    const wrong: Record<string, string>[] = [
      {},
      { authorization: 'Bearer ' },
      { 'x-api-key': `${TOKEN}x` },
      { authorization: `Bearer ${KEY}` },
    ];
    for (const headers of wrong) {
      for (const [method, path] of [
        ['POST', CHAT.path],
        ['GET', '/v1/models'],
        ['HEAD', '/'],
      ] as const) {
        const { status } = await send(broker, {
          path,
          method,
          headers,
          ...(method === 'POST' && { body: CHAT.body }),
        });
        expect([method, path, status]).toEqual([method, path, 401]);
      }
    }
    expect(provider.received).toEqual([]);
    expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(['token']));
    broker.close();
  });
});

describe('A request that leads to no call', () => {
  test.each([
    ['an unknown path', { path: '/v1/files' }, 404, 'route'],
    ['another method', { method: 'PUT' }, 404, 'route'],
    ['a body that is not JSON', { body: '{"model":' }, 400, 'invalid_body'],
    ['a body that is an array', { body: '[]' }, 400, 'invalid_body'],
    [
      'a body of extreme depth',
      { body: `{"a":${'['.repeat(9_999)}${']'.repeat(9_999)}}` },
      400,
      'invalid_body',
    ],
    ['a body above the limit', { body: { ...CHAT.body, text: 'x'.repeat(5_000_000) } }, 413, 'too_large'],
    [
      'an alias whose account lacks the API',
      { path: '/v1/responses', body: { model: 'only-chat' } },
      404,
      'wire',
    ],
    [
      'a document by URL',
      {
        body: {
          messages: [
            { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a.example/x.png' } }] },
          ],
        },
      },
      400,
      'server_feature',
    ],
  ])(
    'A request that leads to no call is refused with its reason: %s',
    async (_name, change, status, reason) => {
      const { broker, refused, calls } = brokerOf(baseUrl, { limits: { requestBytesMax: 1_000_000 } });
      const limits =
        reason === 'too_large' ? brokerOf(baseUrl, { limits: { requestBytesMax: 1_000 } }) : undefined;
      const used = limits?.broker ?? broker;
      const reply = await send(used, { ...CHAT, ...change });
      expect(reply).toMatchObject({ status, headers: { 'x-should-retry': 'false' } });
      expect(JSON.parse(reply.text).error.message).toEqual(expect.any(String));
      expect(limits?.refused ?? refused).toMatchObject([{ reason }]);
      expect([...calls, ...(limits?.calls ?? [])]).toEqual([]);
      expect(provider.received).toEqual([]);
      used.close();
    },
  );

  test('A request over a limit is refused with the status that each client treats as final', async () => {
    const { broker, refused, limit } = brokerOf(baseUrl);
    limit.error = new CallRefused('limit', 'The attempt has used its 1,000 tokens.');
    for (const key of WIRE_KEYS) {
      const { path, body } = EXCHANGES[key];
      const reply = await send(broker, { path, body });
      expect([key, reply.status]).toEqual([key, key === 'responses' ? 400 : 403]);
      expect(reply.text).toContain('The attempt has used its 1,000 tokens.');
      expect(reply.headers['x-should-retry']).toBe('false');
    }
    expect(refused.map(({ reason }) => reason)).toEqual(['limit', 'limit', 'limit', 'limit']);
    expect(provider.received).toEqual([]);
    broker.close();
  });

  test('A request loses its server tools, unless the pack grants them', async () => {
    const tools = [
      { type: 'function', function: { name: 'exec' } },
      { type: 'web_search', external_web_access: true },
    ];
    const restricted = brokerOf(baseUrl);
    await send(restricted.broker, { ...CHAT, body: { ...CHAT.body, tools } });
    expect(provider.received[0]?.body.tools).toEqual([tools[0]]);
    expect(restricted.calls[0]?.removed).toEqual([{ path: 'tools[1]', feature: 'server tool web_search' }]);
    const granted = brokerOf(baseUrl, { allowsServerFeatures: true });
    await send(granted.broker, { ...CHAT, body: { ...CHAT.body, tools } });
    expect(provider.received[1]?.body.tools).toEqual(tools);
    restricted.broker.close();
    granted.broker.close();
  });
});

describe('A hostile program', () => {
  test('A hostile program gets no more connections than the limit', async () => {
    const { broker, refused } = brokerOf(baseUrl, { limits: { connectionsMax: 3 } });
    const connections = Array.from({ length: 4 }, () => connect(broker));
    const last = connections.at(-1);
    if (last && !last.closed) await once(last, 'close');
    expect(connections.map(({ destroyed }) => destroyed)).toEqual([false, false, false, true]);
    expect(refused).toEqual([{ reason: 'connections' }]);
    connections[0]?.destroy();
    await waitFor(async () => (await send(broker, CHAT).catch(() => undefined))?.status === 200);
    broker.close();
  });

  test('A hostile program can send bytes that are not HTTP without harm to other connections', async () => {
    const { broker } = brokerOf(baseUrl);
    const noise = connect(broker);
    noise.write('\0\x01not http at all\r\n\r\n');
    noise.resume();
    if (!noise.closed) await once(noise, 'close');
    expect(await send(broker, CHAT)).toMatchObject({ status: 200 });
    broker.close();
  });
});
