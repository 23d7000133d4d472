import { WIRE_KEYS, type WireKey } from '@agentclash/domain';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Script } from './behaviour.js';
import { type ScriptedModel, scriptedModel } from './server.js';

const opened: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((model) => model.close()));
});

async function serving(script: Script): Promise<ScriptedModel> {
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
