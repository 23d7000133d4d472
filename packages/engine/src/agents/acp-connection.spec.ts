import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AcpConnection } from './acp-connection.js';
import { AcpTurn, grantedPermission } from './acp-turn.js';

const LINE_BYTES_MAX = 1_000;
let written: Record<string, unknown>[];
let notified: [string, unknown][];
let connection: AcpConnection;

beforeEach(() => {
  open();
});

function open(): void {
  written = [];
  notified = [];
  const handlers = {
    write: (line: string) => {
      expect(line.endsWith('\n')).toBe(true);
      written.push(JSON.parse(line));
    },
    onRequest: (method: string) => (method === 'known' ? { granted: true } : undefined),
    onNotification: (method: string, params: unknown) => notified.push([method, params]),
  };
  connection = new AcpConnection(handlers, LINE_BYTES_MAX);
}

const lines = (...messages: unknown[]) =>
  Buffer.from(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));

describe('a connection of ACP', () => {
  test('a connection of ACP reads the same messages however their bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 50 }) }), { maxLength: 8 }),
        fc.array(fc.nat({ max: 2_000 })),
        (params, cuts) => {
          open();
          const bytes = lines(...params.map((each) => ({ method: 'session/update', params: each })));
          const positions = [
            0,
            ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b),
            bytes.length,
          ];
          for (const [index, position] of positions.entries()) {
            expect(connection.receive(bytes.subarray(positions[index - 1] ?? 0, position))).toBe(true);
          }
          expect(notified).toEqual(params.map((each) => ['session/update', each]));
        },
      ),
    );
  });

  test('a connection of ACP takes any bytes without an exception and replies to requests alone', () => {
    const messages = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom('id', 'method', 'params', 'result', 'error', 'jsonrpc'), fc.jsonValue()),
    );
    fc.assert(
      fc.property(fc.array(messages), fc.uint8Array(), (values, bytes) => {
        open();
        void connection.request('initialize', {});
        connection.receive(lines(...values));
        connection.receive(Buffer.from(bytes));
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
      lines({ id: 7, result: { x: 7 } }, { id: 2, error: { code: -32_000, message: 'no' } }),
    );
    connection.receive(lines({ id: 1, result: { x: 1 } }, { id: 1, result: { x: 2 } }));
    expect(await first).toEqual({ result: { x: 1 } });
    expect(await second).toEqual({ error: { code: -32_000, message: 'no' } });
  });

  test('a request of the agent has a result, or an error where its method is not offered', () => {
    connection.receive(
      lines({ id: 'a', method: 'known' }, { id: 0, method: 'fs/read_text_file', params: {} }),
    );
    expect(written).toEqual([
      { jsonrpc: '2.0', id: 'a', result: { granted: true } },
      { jsonrpc: '2.0', id: 0, error: { code: -32_601, message: expect.any(String) } },
    ]);
  });

  test('a line longer than allowed is refused, with or without its end', () => {
    expect(connection.receive(Buffer.alloc(LINE_BYTES_MAX, ' '))).toBe(true);
    expect(connection.receive(Buffer.from(' '))).toBe(false);
    open();
    expect(
      connection.receive(Buffer.from(`${' '.repeat(LINE_BYTES_MAX)}\n${' '.repeat(LINE_BYTES_MAX)}\n`)),
    ).toBe(true);
    expect(connection.receive(Buffer.from(`${' '.repeat(LINE_BYTES_MAX + 1)}\n`))).toBe(false);
  });

  test('a closed connection ends every request and sends nothing more', async () => {
    const waiting = connection.request('initialize', {});
    connection.close();
    expect(await waiting).toEqual({ closed: true });
    expect(await connection.request('session/new', {})).toEqual({ closed: true });
    expect(connection.receive(lines({ id: 1, method: 'known' }))).toBe(true);
    expect(connection.receive(Buffer.alloc(LINE_BYTES_MAX + 1))).toBe(true);
    expect(written).toHaveLength(1);
  });
});

describe('a turn of ACP', () => {
  const chunk = (text: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  const toolCall = { sessionUpdate: 'tool_call', toolCallId: '1' };
  const textAfter = (...updates: object[]) => {
    const turn = new AcpTurn();
    for (const update of updates) turn.update({ ...update });
    return turn.text;
  };

  test('a turn of ACP has the text of its last message', () => {
    expect(textAfter(chunk('I look.'), toolCall, chunk('It '), chunk('is 5.'))).toBe('It is 5.');
    expect(textAfter(chunk('It is 5.'), toolCall, toolCall, chunk(' '))).toBe('It is 5.');
    expect(textAfter(toolCall, { sessionUpdate: 'agent_thought_chunk', content: { text: 'x' } })).toBe('');
  });

  test('a turn of ACP counts the bytes of its longest message', () => {
    const turn = new AcpTurn();
    for (const update of [chunk('äöü'), toolCall, chunk('a')]) turn.update(update);
    expect(turn.bytes).toBe(6);
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
