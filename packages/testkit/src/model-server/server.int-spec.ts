import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '../wait-for.js';
import { type FakeModelServer, fakeModelServer, type Script } from './server.js';

const open: FakeModelServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serving(script?: Script): Promise<FakeModelServer> {
  const server = await fakeModelServer(script === undefined ? {} : { script });
  open.push(server);
  return server;
}

function send(server: FakeModelServer, path = '/chat/completions', body: object = {}): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer k' },
    body: JSON.stringify({ model: 'm', stream: true, messages: [], ...body }),
  });
}

/** The JSON of every event of a stream. */
async function events(response: Response): Promise<unknown[]> {
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)));
}

describe('the fake model server', () => {
  test('the server streams as OpenAI does: role first, fragments, finish, usage when requested, and the end mark', async () => {
    const server = await serving({
      text: 'abcd',
      fragment: 2,
      usage: { input: 7, output: 2, cachedInput: 3 },
    });
    const options = { stream_options: { include_usage: true } };
    expect(await events(await send(server, undefined, options))).toMatchObject([
      { object: 'chat.completion.chunk', model: 'm', choices: [{ delta: { role: 'assistant' } }] },
      { choices: [{ delta: { content: 'ab' }, finish_reason: null }] },
      { choices: [{ delta: { content: 'cd' } }] },
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      {
        choices: [],
        usage: { prompt_tokens: 7, total_tokens: 9, prompt_tokens_details: { cached_tokens: 3 } },
      },
    ]);
    const text = await (await send(server)).text();
    expect(text).not.toContain('usage');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test('the server streams as Anthropic does: message, blocks with their deltas, stop reason, stop', async () => {
    const server = await serving({ text: 'ab', toolCalls: [{ id: 't', name: 'look', arguments: { a: 1 } }] });
    expect(await events(await send(server, '/messages'))).toMatchObject([
      { type: 'message_start', message: { role: 'assistant', usage: { input_tokens: 10 } } },
      { type: 'ping' },
      { type: 'content_block_start', index: 0, content_block: { type: 'text' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ab' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't', name: 'look' } },
      { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ]);
  });

  test('the server follows a list, whose last entry repeats, and keeps every request', async () => {
    const server = await serving([{ status: 429, headers: { 'retry-after': '3' } }, { status: 500 }]);
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await send(server)).status);
    expect(statuses).toEqual([429, 500, 500]);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[0]).toMatchObject({
      wire: 'openai',
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer k' },
      body: { model: 'm' },
    });
  });

  test('the server replies by a function of the request', async () => {
    const server = await serving(({ body }) => ({ text: `to ${String(body.user)}` }));
    expect(await (await send(server, undefined, { user: 'u1' })).text()).toContain('to u1');
  });

  test('the server streams an endless reply until its client disconnects', async () => {
    const server = await serving({ text: 'on and ', isEndless: true });
    const { body } = await send(server);
    const reader = body?.getReader();
    for (let count = 0; count < 20; count++) expect((await reader?.read())?.done).toBe(false);
    expect(server.inFlight).toBe(1);
    await reader?.cancel();
    await waitFor(() => server.inFlight === 0);
  });

  test('the server rejects other paths and requests without streaming', async () => {
    const server = await serving();
    expect((await send(server, '/embeddings')).status).toBe(404);
    expect((await send(server, undefined, { stream: false })).status).toBe(400);
  });
});

test('the server runs as a separate process, for demonstrations of a local model', async () => {
  const loader = path.join(import.meta.dirname, '../jest/typescript.mjs');
  const program = path.join(import.meta.dirname, 'main.ts');
  const child = spawn(process.execPath, ['--import', loader, program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    const messages = [{ role: 'user', content: 'are you there' }];
    const response = await fetch(`${JSON.parse(line).url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'echo', stream: true, messages }),
    });
    expect(await response.text()).toContain('are you there');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});
