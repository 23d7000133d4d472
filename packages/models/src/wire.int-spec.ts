import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEgress, DEFAULT_EGRESS_SETTINGS } from '@agentclash/egress';
import { waitFor } from '@agentclash/testkit';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Message } from './model/model.js';
import {
  account,
  closeServers,
  failureOf,
  KEY,
  open,
  openSlots,
  provider,
  requestOf,
  WIRES,
} from './testing/harness.js';

afterEach(closeServers);

const TOOL = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };

const HISTORY: Message[] = [
  { role: 'system', text: 'Be brief.' },
  { role: 'user', text: 'Look at both.' },
  {
    role: 'assistant',
    text: 'Looking.',
    toolCalls: [
      { id: 'a', name: 'look', arguments: { path: '/x' } },
      { id: 'b', name: 'look', arguments: '{"path": /y' },
    ],
  },
  { role: 'tool', toolCallId: 'a', toolName: 'look', result: 'forty-two' },
  { role: 'tool', toolCallId: 'b', toolName: 'look', result: { error: 'no JSON', code: 'arguments' } },
];

describe('what is sent', () => {
  test('a request to OpenAI holds the whole history, call by call', async () => {
    const server = await provider();
    await open(account('openai', server.url)).call(requestOf('', { messages: HISTORY, tools: [TOOL] }));
    expect(server.requests[0]?.body).toMatchObject({
      model: 'test-model',
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: TOOL }],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Look at both.' },
        {
          role: 'assistant',
          content: 'Looking.',
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'look', arguments: '{"path":"/x"}' } },
            {
              id: 'b',
              type: 'function',
              function: { name: 'look', arguments: '{"invalid_arguments":"{\\"path\\": /y"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: 'forty-two' },
        { role: 'tool', tool_call_id: 'b', content: '{"error":"no JSON","code":"arguments"}' },
      ],
    });
  });

  test('a request to Anthropic holds the whole history, call by call', async () => {
    const server = await provider();
    await open(account('anthropic', server.url)).call(requestOf('', { messages: HISTORY, tools: [TOOL] }));
    expect(server.requests[0]?.body).toMatchObject({
      model: 'test-model',
      stream: true,
      system: [{ type: 'text', text: 'Be brief.' }],
      tools: [{ name: 'look', description: 'Looks.', input_schema: TOOL.parameters }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Look at both.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Looking.' },
            { type: 'tool_use', id: 'a', name: 'look', input: { path: '/x' } },
            { type: 'tool_use', id: 'b', name: 'look', input: { invalid_arguments: '{"path": /y' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: 'forty-two' },
            { type: 'tool_result', tool_use_id: 'b', content: '{"error":"no JSON","code":"arguments"}' },
          ],
        },
      ],
    });
  });

  test('a request shows a provider its own signed reasoning again, and no other provider’s', async () => {
    const server = await provider({
      reasoning: 'I had better look.',
      toolCalls: [{ id: 'a', name: 'look', arguments: {} }],
    });
    const model = open(account('anthropic', server.url), { sampling: { max_output_tokens: 64 } });
    const { text, toolCalls, continuation } = await model.call(requestOf('', { tools: [TOOL] }));
    const messages: Message[] = [
      { role: 'user', text: 'Look.' },
      { role: 'assistant', text, toolCalls, ...(continuation !== undefined && { continuation }) },
      { role: 'tool', toolCallId: 'a', toolName: 'look', result: 'nothing' },
    ];
    await model.call(requestOf('', { messages: JSON.parse(JSON.stringify(messages)), tools: [TOOL] }));
    expect(server.requests[1]?.body.messages).toMatchObject([
      {},
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'I had better look.', signature: 'signed-by-the-script' },
          { type: 'tool_use', id: 'a' },
        ],
      },
      {},
    ]);
    await open(account('custom', server.url)).call(requestOf('', { messages, tools: [TOOL] }));
    expect(JSON.stringify(server.requests[2]?.body)).not.toContain('I had better look');
  });

  test('a request holds the sampling parameters by their names in each API', async () => {
    const sampling = {
      temperature: 0.2,
      top_p: 0.9,
      max_output_tokens: 77,
      seed: 5,
      reasoning_effort: 'high',
    };
    const server = await provider();
    for (const key of ['openai_compatible', 'openai', 'anthropic']) {
      await open(account(key, server.url), { sampling }).call(requestOf());
    }
    const common = { temperature: 0.2, top_p: 0.9, seed: 5, reasoning_effort: 'high' };
    expect(server.requests[0]?.body).toMatchObject({ ...common, max_tokens: 77 });
    expect(server.requests[1]?.body).toMatchObject(common);
    expect(server.requests[2]?.body).toMatchObject({
      temperature: 0.2,
      max_tokens: 77,
      output_config: { effort: 'high' },
    });
    expect(server.requests[2]?.body).not.toHaveProperty('seed');
  });

  test('a request has an output schema only where the model has no tools to call', async () => {
    const outputSchema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    const server = await provider();
    const model = open(account('openai', server.url));
    await model.call(requestOf('', { outputSchema }));
    await model.call(requestOf('', { outputSchema, tools: [TOOL] }));
    expect(server.requests[0]?.body).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { schema: outputSchema, strict: false } },
    });
    expect(server.requests[1]?.body).not.toHaveProperty('response_format');
  });
});

describe('the way to a provider', () => {
  test.each(WIRES)('a request carries the key of %s in a header and nowhere else', async (key) => {
    const server = await provider();
    await open(account(key, server.url)).call(requestOf());
    const [request] = server.requests;
    const header = key === 'anthropic' ? 'x-api-key' : 'authorization';
    expect(request?.headers[header]).toContain(KEY);
    const { [header]: _, ...others } = request?.headers ?? {};
    expect(JSON.stringify([request?.path, request?.body, others])).not.toContain(KEY);
  });

  test('a request is sent to no private address that the operator did not unlock', async () => {
    const server = await provider();
    const slots = openSlots();
    const model = open(account('openai_compatible', server.url), { egress: createEgress(), slots });
    expect(await failureOf(model.call(requestOf()))).toMatchObject({
      failure: 'egress_blocked',
      details: { tries: 1 },
    });
    expect(server.requests).toEqual([]);
    expect(slots.released).toEqual([['failed']]);
  });

  test('a request is sent to no public address over plain http', async () => {
    const sent: unknown[] = [];
    const egress = createEgress({
      resolve: async () => ['93.184.216.34'],
      transport: async (hop) => {
        sent.push(hop);
        throw new Error('nothing may be sent');
      },
    });
    const model = open(account('openai_compatible', 'http://models.example/v1'), { egress });
    expect((await failureOf(model.call(requestOf()))).failure).toBe('egress_blocked');
    expect(sent).toEqual([]);
  });

  test.each(['http://127.0.0.2/v1', 'http://[::1]/v1', 'http://169.254.169.254/latest/meta-data'])(
    'a request follows no redirect to %s',
    async (location) => {
      const server = await provider({ status: 307, headers: { location } });
      const egress = createEgress({
        settings: { ...DEFAULT_EGRESS_SETTINGS, operatorUnlock: ['127.0.0.1/32'] },
      });
      const failure = await failureOf(open(account('openai', server.url), { egress }).call(requestOf()));
      expect(failure).toMatchObject({ failure: 'egress_blocked', details: { tries: 1 } });
    },
  );

  test('a key is not sent to another origin', async () => {
    const target = await provider();
    const first = await provider({ status: 307, headers: { location: `${target.url}/chat/completions` } });
    expect((await open(account('openai', first.url)).call(requestOf())).text).toBe('ok');
    expect(first.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(target.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('a key that is bound to other origins is not sent, and the error names the command that binds it', async () => {
    const server = await provider();
    const origins = ['https://api.openai.com:443'];
    const openCredential = async () => ({ key: 'OPENAI_KEY', reveal: () => KEY, origins });
    const failure = await failureOf(
      open(account('openai', server.url, { openCredential })).call(requestOf()),
    );
    expect(failure.failure).toBe('secret_binding');
    const { origin } = new URL(server.url);
    expect(failure.message).toBe(
      `openai: the secret OPENAI_KEY is bound to https://api.openai.com:443, and the request goes to ${origin}: bind it with "agentclash secret set OPENAI_KEY --host ${origin}", or correct base_url`,
    );
    expect(failure.details.tries).toBe(1);
    expect(server.requests).toEqual([]);
  });

  test('a key that is bound to its origin does not follow a redirect to another one', async () => {
    const target = await provider();
    const first = await provider({ status: 307, headers: { location: `${target.url}/chat/completions` } });
    const origins = [new URL(first.url).origin];
    const openCredential = async () => ({ key: 'OPENAI_KEY', reveal: () => KEY, origins });
    const failure = await failureOf(open(account('openai', first.url, { openCredential })).call(requestOf()));
    expect(failure).toMatchObject({
      failure: 'secret_binding',
      message: expect.stringMatching(/ is bound to \S+, and the request was redirected to another origin$/),
    });
    expect(target.requests).toEqual([]);
  });

  test('a request ends at once when the call is cancelled, and the connection with it', async () => {
    const server = await provider({ text: 'half of', ending: 'stall' });
    const cancel = new AbortController();
    const slots = openSlots();
    const call = open(account('openai', server.url), { slots }).call(
      requestOf('', {
        signal: cancel.signal,
        onDelta: ({ text }) => text === 'half of' && cancel.abort(new Error('cancelled')),
      }),
    );
    await expect(call).rejects.toThrow('cancelled');
    expect(slots.released).toEqual([['failed']]);
    await waitFor(() => server.open === 0);
  });

  test('a request ends when the reply is complete, even if the provider keeps the connection open', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"error": {"message": "no", "code": "invalid_api_key"}}\n\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const failure = await failureOf(
        open(account('openai', `http://127.0.0.1:${port}/v1`)).call(requestOf()),
      );
      expect(failure.failure).toBe('auth');
      await waitFor(
        () => new Promise((resolve) => server.getConnections((_, count) => resolve(count === 0))),
      );
    } finally {
      server.close();
    }
  });
});
