import { WIRE_KEYS, type WireKey } from '@agentclash/domain';
import { waitFor } from '@agentclash/testkit';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Script } from './behaviour.js';
import { type ScriptedModel, scriptedModel } from './server.js';

const opened: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((model) => model.close()));
});

async function serving(script?: Script): Promise<ScriptedModel> {
  const model = await scriptedModel(script);
  opened.push(model);
  return model;
}

const SHELL = {
  type: 'object',
  properties: { command: { type: 'string' } },
  required: ['command', 'description'],
};
const READ = { type: 'object', properties: { absolute_path: { type: 'string' } } };
const LOOKUP = { type: 'object', properties: { id: { type: 'string' } } };
const WRITE = { type: 'object', properties: { file_path: { type: 'string' }, content: { type: 'string' } } };

/** A request with a shell and a writer, as each API has it. */
const REQUESTS: Record<WireKey, { path: string; body: object }> = {
  anthropic: {
    path: '/messages',
    body: {
      model: 'm',
      tools: [
        { name: 'Bash', input_schema: SHELL },
        { name: 'Write', input_schema: WRITE },
        { name: 'Read', input_schema: READ },
        { name: 'mcp__pack__lookup_ticket', input_schema: LOOKUP },
      ],
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] }],
    },
  },
  chat: {
    path: '/chat/completions',
    body: {
      model: 'm',
      tools: [
        { type: 'function', function: { name: 'bash', parameters: SHELL } },
        { type: 'function', function: { name: 'write', parameters: WRITE } },
        { type: 'function', function: { name: 'read', parameters: READ } },
        { type: 'function', function: { name: 'pack_lookup_ticket', parameters: LOOKUP } },
      ],
      messages: [{ role: 'tool', tool_call_id: 'a', content: 'ok' }],
    },
  },
  responses: {
    path: '/responses',
    body: {
      model: 'm',
      tools: [
        { type: 'function', name: 'exec_command', parameters: { properties: { cmd: { type: 'string' } } } },
        {
          type: 'namespace',
          name: 'mcp__pack',
          tools: [{ type: 'function', name: 'lookup_ticket', parameters: LOOKUP }],
        },
      ],
      input: [{ type: 'function_call_output', call_id: 'a', output: 'ok' }],
    },
  },
  google: {
    path: '/models/m:streamGenerateContent?alt=sse',
    body: {
      tools: [
        {
          functionDeclarations: [
            { name: 'run_shell_command', parametersJsonSchema: SHELL },
            { name: 'write_file', parametersJsonSchema: WRITE },
            { name: 'read_file', parametersJsonSchema: READ },
            { name: 'lookup_ticket', parametersJsonSchema: LOOKUP },
          ],
        },
      ],
      contents: [{ role: 'user', parts: [{ functionResponse: { name: 'x', response: {} } }] }],
    },
  },
};

function send(model: ScriptedModel, wire: WireKey, isStream = true): Promise<Response> {
  const { path, body } = REQUESTS[wire];
  const at = isStream ? path : path.replace('streamGenerateContent?alt=sse', 'generateContent');
  return fetch(model.urlOf(wire) + at, {
    method: 'POST',
    body: JSON.stringify({ ...body, ...(isStream && wire !== 'google' && { stream: true }) }),
  });
}

describe('A scripted model', () => {
  test.each(WIRE_KEYS)(
    'A scripted model calls the shell that a request in the API %s offers',
    async (wire) => {
      const model = await serving(() => ({ run: 'python3 -m unittest' }));
      const streamed = await (await send(model, wire)).text();
      const whole = await (await send(model, wire, false)).text();
      expect(streamed.replaceAll('"}}\n', '')).toMatch(/Bash|bash|exec_command|run_shell_command/);
      expect(whole).toContain('python3 -m unittest');
      expect(model.requests).toMatchObject([
        { wire, model: 'm', isStream: true, resultCount: 1 },
        { wire, isStream: false },
      ]);
      // Required arguments that the script does not name have a value.
      if (wire !== 'responses') expect(whole).toContain('description');
    },
  );

  test.each(WIRE_KEYS)(
    'A scripted model writes a file by the tool or the shell of the API %s',
    async (wire) => {
      const model = await serving(() => ({ write: { path: '/workspace/a.txt', content: 'it’s here' } }));
      const whole = await (await send(model, wire, false)).text();
      expect(whole).toContain('/workspace/a.txt');
      expect(whole).toContain('here');
    },
  );

  test.each(WIRE_KEYS)(
    'A scripted model reads a file by the tool or the shell of the API %s',
    async (wire) => {
      const model = await serving(() => ({ read: '/workspace/a.txt' }));
      const whole = await (await send(model, wire, false)).text();
      expect(whole).toMatch(/"(?:Read|read|read_file|exec_command)"/);
      expect(whole).toContain('/workspace/a.txt');
      expect(whole).toContain(wire === 'responses' ? 'cat ' : 'absolute_path');
    },
  );

  const OFFERED: Record<WireKey, string> = {
    anthropic: '"name":"mcp__pack__lookup_ticket"',
    chat: '"name":"pack_lookup_ticket"',
    responses: '"name":"lookup_ticket","namespace":"mcp__pack"',
    google: '"name":"lookup_ticket"',
  };
  test.each(WIRE_KEYS)(
    'A scripted model calls a tool of an MCP server by the name that the API %s offers',
    async (wire) => {
      const model = await serving(() => ({ call: { name: 'lookup_ticket', arguments: { id: 'T-17' } } }));
      const whole = await (await send(model, wire, false)).text();
      expect(whole).toContain(OFFERED[wire]);
      expect(whole).toContain('T-17');
      model.follow(() => ({ call: { name: 'close_ticket', arguments: {} } }));
      expect(await (await send(model, wire, false)).text()).toContain('No tool that is');
    },
  );

  test.each(WIRE_KEYS)(
    'A scripted model fails, is cut and stalls in the API %s by its script',
    async (wire) => {
      const model = await serving(() => ({ status: 429, headers: { 'retry-after': '1' } }));
      const refused = await send(model, wire);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(await refused.text()).toContain('a scripted 429');
      model.follow(() => ({ text: 'a long text', ending: 'cut' }));
      await expect(send(model, wire).then((response) => response.text())).rejects.toThrow();
      // Some agents repeat a cut stream as a request for a whole reply.
      await expect(send(model, wire, false).then((response) => response.text())).rejects.toThrow();
      model.follow(() => ({ text: 'a long text', ending: 'stall' }));
      const stalled = await send(model, wire);
      await stalled.body?.getReader().read();
      expect(model.open).toBe(1);
    },
  );

  test('A scripted model replies with a text when no tool performs an action', async () => {
    const model = await serving(({ tools }) => (tools.length === 0 ? { run: 'ls' } : { text: 'no' }));
    const response = await fetch(`${model.urlOf('chat')}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'a "marker"' }] }),
    });
    expect(await response.text()).toContain('No tool that is offered here does this.');
    expect(model.requests[0]?.contains('a "marker"')).toBe(true);
  });
});

/** A request in the API chat, or to another path. */
function request(model: ScriptedModel, path = '/chat/completions', body: object = {}): Promise<Response> {
  return fetch(model.url + path, {
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

describe('A scripted reply', () => {
  test('A scripted reply is streamed as OpenAI does: role, fragments, finish, usage when requested, and the end mark', async () => {
    const model = await serving({
      text: 'abcd',
      fragment: 2,
      usage: { input: 7, output: 2, cachedInput: 3 },
    });
    const options = { stream_options: { include_usage: true } };
    expect(await events(await request(model, undefined, options))).toMatchObject([
      { object: 'chat.completion.chunk', model: 'm', choices: [{ delta: { role: 'assistant' } }] },
      { choices: [{ delta: { content: 'ab' }, finish_reason: null }] },
      { choices: [{ delta: { content: 'cd' } }] },
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      {
        choices: [],
        usage: { prompt_tokens: 7, total_tokens: 9, prompt_tokens_details: { cached_tokens: 3 } },
      },
    ]);
    const text = await (await request(model)).text();
    expect(text).not.toContain('usage');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test('A scripted reply is streamed as Anthropic does: message, blocks with their deltas, stop reason, stop', async () => {
    const model = await serving({ text: 'ab', toolCalls: [{ id: 't', name: 'look', arguments: { a: 1 } }] });
    expect(await events(await request(model, '/messages'))).toMatchObject([
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

  test('A scripted reply is streamed as responses are: numbered events of each item, and the response with its usage', async () => {
    const model = await serving({ text: 'ab', toolCalls: [{ id: 't', name: 'look', arguments: { a: 1 } }] });
    const values = await events(await request(model, '/responses'));
    expect(values.map((value) => (value as { type: string }).type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(values.at(-1)).toMatchObject({
      response: {
        status: 'completed',
        output: [{ type: 'message' }, { type: 'function_call', call_id: 't', arguments: '{"a":1}' }],
        usage: { input_tokens: 10, output_tokens: 5 },
      },
    });
  });

  test.each(WIRE_KEYS)('A scripted reply of the API %s has the same content whole', async (wire) => {
    const model = await serving({
      text: 'a text',
      toolCalls: [{ id: 't', name: 'look', arguments: { a: 1 } }],
      usage: { input: 71, output: 23 },
    });
    const whole = await (await send(model, wire, false)).text();
    for (const part of ['a text', 'look', '71', '23']) expect(whole).toContain(part);
    const streamed = await (await send(model, wire)).text();
    for (const part of ['a text', 'look']) expect(streamed).toContain(part);
  });

  test('A scripted reply follows a list, whose last entry repeats, and the model keeps every request', async () => {
    const model = await serving([{ status: 429, headers: { 'retry-after': '3' } }, { status: 500 }]);
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await request(model)).status);
    expect(statuses).toEqual([429, 500, 500]);
    expect(model.requests).toHaveLength(3);
    expect(model.requests[0]).toMatchObject({
      wire: 'chat',
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer k' },
      body: { model: 'm' },
    });
  });

  test('A scripted reply is computed from its request by a function', async () => {
    const model = await serving(({ body }) => ({ text: `to ${String(body.user)}` }));
    expect(await (await request(model, undefined, { user: 'u1' })).text()).toContain('to u1');
  });

  test('A scripted reply without end is streamed until its client disconnects', async () => {
    const model = await serving({ text: 'on and ', isEndless: true });
    const { body } = await request(model);
    const reader = body?.getReader();
    for (let count = 0; count < 20; count++) expect((await reader?.read())?.done).toBe(false);
    expect(model.open).toBe(1);
    await reader?.cancel();
    await waitFor(() => model.open === 0);
  });

  test('A scripted reply exists only at the paths of its APIs', async () => {
    const model = await serving();
    expect((await request(model, '/embeddings')).status).toBe(404);
    expect(await (await request(model)).text()).toContain('"content":"ok"');
  });
});
