import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { Message } from './model/model.js';
import { account, failureOf, KEY, open, requestOf } from './testing/harness.js';

// The parts of Google's wire format that a call with reasoning and a tool uses.
const STREAM = [
  {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Let me see.', thought: true }] }, index: 0 }],
    modelVersion: 'gemini-3-pro-001',
    responseId: 'g-1',
  },
  { candidates: [{ content: { role: 'model', parts: [{ text: 'Looking.' }] }, index: 0 }] },
  {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [{ functionCall: { name: 'look', args: { path: '/x' } }, thoughtSignature: 'c2lnbmVk' }],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: 20,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 7,
      totalTokenCount: 32,
    },
  },
];

const TOOL = { name: 'look', parameters: { type: 'object', properties: { path: { type: 'string' } } } };

let server: Server | undefined;
afterEach(() => {
  server?.close();
});

/** Serves one response to every request and records the requests. */
async function google(status: number, reply: string) {
  const requests: { url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const listening = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray()).toString();
    requests.push({ url: incoming.url ?? '', headers: incoming.headers, body });
    response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json' });
    response.end(reply);
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  return {
    requests,
    model: open(account('gemini', `http://127.0.0.1:${port}/v1beta`), { model: 'gemini-3-pro' }),
  };
}

test('google returns reasoning, text, calls, identity and usage, and receives its signatures again', async () => {
  const { requests, model } = await google(
    200,
    STREAM.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''),
  );
  const received: string[] = [];
  const onDelta = ({ kind, text }: { kind: string; text: string }) => received.push(`${kind}:${text}`);
  const reply = await model.call(requestOf('look', { tools: [TOOL], onDelta }));
  expect(reply).toMatchObject({
    text: 'Looking.',
    toolCalls: [{ name: 'look', arguments: { path: '/x' } }],
    finishReason: 'tool_calls',
    responseModel: 'gemini-3-pro-001',
    responseId: 'g-1',
    usage: { input: 20, output: 12, total: 32, cached_input: null, cache_write: null, reasoning: 7 },
  });
  expect(received.slice(0, 2)).toEqual(['reasoning:Let me see.', 'text:Looking.']);

  const [call] = reply.toolCalls;
  const messages: Message[] = [
    { role: 'user', text: 'look' },
    {
      role: 'assistant',
      text: reply.text,
      toolCalls: reply.toolCalls,
      continuation: reply.continuation ?? null,
    },
    { role: 'tool', toolCallId: call?.id ?? '', toolName: 'look', result: 'nothing' },
  ];
  await model.call(requestOf('', { messages, tools: [TOOL] }));
  expect(requests[1]?.body).toContain('c2lnbmVk');
  expect(requests[0]?.headers['x-goog-api-key']).toBe(KEY);
  expect(requests[0]?.url).toBe('/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse');
});

test('errors of google are classified by their message', async () => {
  const error = {
    code: 400,
    message: 'The input token count exceeds the maximum context length',
    status: 'X',
  };
  const { model } = await google(400, JSON.stringify([{ error }]));
  expect((await failureOf(model.call(requestOf()))).failure).toBe('context_length');
});

test('a stream of google that ends without a finish is cut', async () => {
  const { model } = await google(200, `data: ${JSON.stringify(STREAM[0])}\n\n`);
  expect((await failureOf(model.call(requestOf()))).failure).toBe('unavailable');
});
