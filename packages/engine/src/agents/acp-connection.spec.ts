import { waitFor } from '@agentclash/testkit';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AcpUpdate, grantedPermission, readAcpLines } from '../replies/acp-message.js';
import type { LineFailure } from '../replies/line-reader.js';
import { AcpConnection } from './acp-connection.js';
import { AcpTurn } from './acp-turn.js';

const LINE_BYTES_MAX = 1_000;
let written: Record<string, unknown>[];
let updates: AcpUpdate[];
let failures: LineFailure[];
let connection: AcpConnection;

beforeEach(() => {
  open();
});

function open(): void {
  written = [];
  updates = [];
  failures = [];
  const handlers = {
    write: (line: string) => {
      expect(line.endsWith('\n')).toBe(true);
      written.push(JSON.parse(line));
    },
    onUpdate: ({ sessionId, update }: AcpUpdate) => updates.push({ sessionId, update }),
    onFailure: (failure: LineFailure) => failures.push(failure),
  };
  connection = new AcpConnection(handlers, {
    lineBytesMax: LINE_BYTES_MAX,
    unreadBytesMax: 1_000_000,
    read: async (bytes) => readAcpLines(bytes),
  });
}

const lines = (...messages: unknown[]) =>
  Buffer.from(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));

/** A message of an agent's turn. */
const messageChunk = (text: unknown) => ({
  method: 'session/update',
  params: { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: { text } } },
});

describe('a connection of ACP', () => {
  test('a connection of ACP reads the same messages however their bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 50 }), { maxLength: 8 }),
        fc.array(fc.nat({ max: 2_000 })),
        async (texts, cuts) => {
          open();
          const bytes = lines(...texts.map(messageChunk));
          const positions = [
            0,
            ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b),
            bytes.length,
          ];
          for (const [index, position] of positions.entries()) {
            connection.receive(bytes.subarray(positions[index - 1] ?? 0, position));
          }
          await connection.end();
          expect(updates).toEqual(texts.map((text) => ({ sessionId: 's', update: { text } })));
          expect(failures).toEqual([]);
        },
      ),
    );
  });

  test('a connection of ACP takes any bytes without an exception and replies to requests alone', async () => {
    const messages = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom('id', 'method', 'params', 'result', 'error', 'jsonrpc'), fc.jsonValue()),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(messages), fc.uint8Array(), async (values, bytes) => {
        open();
        void connection.request('initialize', {});
        connection.receive(lines(...values));
        connection.receive(Buffer.from(bytes));
        await connection.end();
        const requests = values.filter(
          (value) =>
            typeof value === 'object' &&
            value !== null &&
            'method' in value &&
            typeof value.method === 'string' &&
            'id' in value &&
            ['number', 'string'].includes(typeof value.id) &&
            JSON.stringify(value).length <= LINE_BYTES_MAX,
        );
        expect(written.length - 1).toBeLessThanOrEqual(requests.length);
        expect(written.slice(1).every((message) => 'error' in message)).toBe(true);
      }),
    );
  });

  test('a response reaches its request once, and those to other ids are ignored', async () => {
    const first = connection.request('initialize', { a: 1 });
    const second = connection.request('session/new', {});
    expect(written).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: { a: 1 } },
      { jsonrpc: '2.0', id: 2, method: 'session/new', params: {} },
    ]);
    connection.receive(
      lines({ id: 7, result: { sessionId: '7' } }, { id: 2, error: { code: -32_000, message: 'no' } }),
    );
    connection.receive(lines({ id: 1, result: { sessionId: '1' } }, { id: 1, result: { sessionId: '2' } }));
    expect(await first).toMatchObject({ result: { sessionId: '1' } });
    expect(await second).toMatchObject({ error: { code: -32_000, message: 'no' } });
  });

  test('a request of the agent has a result, or an error where its method is not offered', async () => {
    connection.receive(
      lines(
        { id: 'a', method: 'session/request_permission', params: {} },
        { id: 0, method: 'fs/read_text_file', params: {} },
      ),
    );
    connection.receive(lines({ id: ['x'], method: 'fs/read_text_file' }));
    connection.receive(lines({ id: 'x'.repeat(900), method: 'other' }));
    await waitFor(() => written.length === 3);
    expect(written).toEqual([
      { jsonrpc: '2.0', id: 'a', result: { outcome: { outcome: 'cancelled' } } },
      { jsonrpc: '2.0', id: 0, error: { code: -32_601, message: expect.any(String) } },
      { jsonrpc: '2.0', id: 'x'.repeat(900), error: { code: -32_601, message: expect.any(String) } },
    ]);
  });

  test('a line longer than allowed closes the connection', async () => {
    const request = connection.request('initialize', {});
    connection.receive(Buffer.alloc(LINE_BYTES_MAX, ' '));
    expect(failures).toEqual([]);
    connection.receive(Buffer.from(' '));
    expect(failures).toEqual(['line']);
    expect(await request).toEqual({ closed: true });
  });

  test('a connection that ends has read all of its output', async () => {
    const request = connection.request('session/prompt', {});
    connection.receive(lines(messageChunk('a'), { id: 1, result: { stopReason: 'end_turn' } }));
    await connection.end();
    expect(await request).toMatchObject({ result: { stopReason: 'end_turn' } });
    expect(updates).toHaveLength(1);
  });

  test('a closed connection ends every request and sends nothing more', async () => {
    const waiting = connection.request('initialize', {});
    connection.receive(lines({ id: 1, method: 'known' }));
    connection.close();
    expect(await waiting).toEqual({ closed: true });
    expect(await connection.request('session/new', {})).toEqual({ closed: true });
    connection.receive(lines({ id: 1, method: 'known' }));
    connection.receive(Buffer.alloc(LINE_BYTES_MAX + 1));
    await connection.end();
    expect(written).toHaveLength(1);
    expect(failures).toEqual([]);
  });
});

describe('a turn of ACP', () => {
  const chunk = (text: string) => ({ text });
  const toolCall = 'tool_call' as const;
  const textAfter = (...given: AcpUpdate['update'][]) => {
    const turn = new AcpTurn();
    for (const update of given) turn.update(update);
    return turn.text;
  };

  test('a turn of ACP has the text of its last message', () => {
    expect(textAfter(chunk('I look.'), toolCall, chunk('It '), chunk('is 5.'))).toBe('It is 5.');
    expect(textAfter(chunk('It is 5.'), toolCall, toolCall, chunk(' '))).toBe('It is 5.');
    expect(textAfter(toolCall)).toBe('');
  });

  test('a turn of ACP counts the bytes of its longest message', () => {
    const turn = new AcpTurn();
    for (const update of [chunk('äöü'), toolCall, chunk('a')]) turn.update(update);
    expect(turn.bytes).toBe(6);
  });

  test('a message of a turn is read without the members that are not used', () => {
    const update = (members: object) =>
      readAcpLines(lines({ method: 'session/update', params: { sessionId: 's', update: members } }));
    const call = { sessionUpdate: 'tool_call', toolCallId: '1', rawInput: { a: [1, 2] } };
    expect(update(call)).toEqual([{ kind: 'update', sessionId: 's', update: 'tool_call' }]);
    expect(update({ sessionUpdate: 'agent_thought_chunk', content: { text: 'x' } })).toEqual([]);
    expect(
      readAcpLines(lines({ method: 'other' }, { id: 1, result: { modes: [1], sessionId: 's' } })),
    ).toEqual([{ kind: 'result', id: 1, hasHttp: false, sessionId: 's' }]);
  });

  test('a permission is granted by the least option that allows, else cancelled', () => {
    const [no, always, once] = ['reject_once', 'allow_always', 'allow_once'].map((kind) => ({
      kind,
      optionId: kind,
    }));
    const granted = (...options: unknown[]) => grantedPermission({ options });
    expect(granted(no, always, once)).toEqual({ outcome: { outcome: 'selected', optionId: 'allow_once' } });
    expect(granted(no, always)).toEqual({ outcome: { outcome: 'selected', optionId: 'allow_always' } });
    for (const options of [[no], [], [{ kind: 'allow_once' }], [null, 5]]) {
      expect(granted(...options)).toEqual({ outcome: { outcome: 'cancelled' } });
    }
  });
});
