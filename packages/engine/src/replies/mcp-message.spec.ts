import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LIST_BYTES_MAX, readMcpLines, readMcpMessage } from './mcp-message.js';

const read = (value: unknown) => readMcpMessage(Buffer.from(JSON.stringify(value)));
const rpc = (members: object) => read({ jsonrpc: '2.0', ...members });

describe('A message of an MCP server', () => {
  test.each<[string, object, object]>([
    ['a result', { id: 1, result: { a: 1 } }, { kind: 'result', id: 1, result: { list: undefined } }],
    ['an error', { id: 1, error: { message: 'no' } }, { kind: 'error', id: 1, message: 'no' }],
    ['a long error', { id: 1, error: { message: 'x'.repeat(2_000) } }, { message: 'x'.repeat(1_000) }],
    ['a request', { id: 'a', method: 'ping' }, { kind: 'request', id: 'a', method: 'ping' }],
    ['a notification', { method: 'm', params: { a: 1 } }, { kind: 'notification', method: 'm' }],
  ])('%s is read', (_title, members, expected) => {
    expect(rpc(members)).toMatchObject(expected);
  });

  test.each<[string, object]>([
    ['a reply to no request of ours', { id: 'a', result: {} }],
    ['a result that is a text', { id: 1, result: 'x' }],
    ['neither result nor error', { id: 1 }],
    ['a request with an id that is a list', { id: [], method: 'm' }],
  ])('%s is invalid', (_title, members) => {
    expect(rpc(members)).toEqual({ kind: 'invalid' });
  });

  test('JSON with bytes that are no UTF-8 is invalid', () => {
    const text = '{"jsonrpc":"2.0","id":1,"result":{"a":"?"}}';
    const bytes = Buffer.from(text);
    expect(readMcpMessage(bytes)).toMatchObject({ kind: 'result' });
    bytes[text.indexOf('?')] = 0xff;
    expect(readMcpMessage(bytes)).toEqual({ kind: 'invalid' });
  });

  test('JSON of 200 levels is read, and deeper JSON is invalid', () => {
    const nested = (levels: number) =>
      Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`);
    expect(readMcpMessage(nested(198))).toMatchObject({ kind: 'result' });
    expect(readMcpMessage(nested(199))).toEqual({ kind: 'invalid' });
    expect(readMcpMessage(Buffer.alloc(1_000_000, '['))).toEqual({ kind: 'invalid' });
  });

  test('A result has the members that are used, and no others', () => {
    const result = {
      protocolVersion: '2025-06-18',
      serverInfo: { name: 'n'.repeat(300), version: '1', title: 'other' },
      nextCursor: 'c',
      other: { a: 1 },
    };
    expect(rpc({ id: 1, result })).toEqual({
      kind: 'result',
      id: 1,
      result: {
        protocolVersion: '2025-06-18',
        info: { name: 'n'.repeat(200), version: '1' },
        list: undefined,
        nextCursor: 'c',
        output: { text: '', isError: false },
      },
    });
  });

  test.each<[string, object, string]>([
    [
      'texts',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      'a\nb',
    ],
    ['an image', { content: [{ type: 'image', data: 'x' }, 5] }, '[image]\n[part]'],
    ['a resource', { content: [{ type: 'resource', resource: { text: 'r' } }] }, 'r'],
    ['a value alone', { content: [], structuredContent: { a: 1 } }, '{"a":1}'],
    ['a value beside its text', { content: [{ type: 'text', text: 'a' }], structuredContent: {} }, 'a'],
  ])('A result of %s is read as one text', (_title, result, output) => {
    expect(rpc({ id: 1, result })).toMatchObject({ result: { output: { text: output, isError: false } } });
    const failed = { ...result, isError: true };
    expect(rpc({ id: 1, result: failed })).toMatchObject({ result: { output: { isError: true } } });
  });

  test('A list has its tools, or only their number where they are too long together', () => {
    const tools = [{ name: 'a' }, 5];
    const list = { count: 2, bytes: 16, tools };
    expect(rpc({ id: 1, result: { tools } })).toMatchObject({ result: { list } });
    const long = [{ name: 'x'.repeat(LIST_BYTES_MAX) }];
    expect(rpc({ id: 1, result: { tools: long } })).toMatchObject({
      result: { list: { count: 1, bytes: LIST_BYTES_MAX + 13, tools: [] } },
    });
  });

  test('Lines are read in order, up to the first that is no message', () => {
    const text = ['{"jsonrpc":"2.0","method":"a"}', '', 'log', '{"jsonrpc":"2.0","method":"b"}', ''].join(
      '\n',
    );
    expect(readMcpLines(Buffer.from(text))).toEqual([
      { kind: 'notification', method: 'a' },
      { kind: 'invalid' },
    ]);
  });

  test('Any bytes are a message or invalid', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((json) => Buffer.from(json)),
        ),
        (bytes) => {
          expect(readMcpMessage(bytes)).toHaveProperty('kind');
        },
      ),
    );
  });
});
