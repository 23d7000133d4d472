import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readServerMessage } from './message.js';

const read = (value: unknown) => readServerMessage(Buffer.from(JSON.stringify(value)));
const rpc = (members: object) => read({ jsonrpc: '2.0', ...members });

describe('A message of an MCP server', () => {
  test.each<[string, object, object]>([
    ['a result', { id: 1, result: { a: 1 } }, { kind: 'result', id: 1, result: { a: 1 } }],
    ['an error', { id: 1, error: { message: 'no' } }, { kind: 'error', id: 1, message: 'no' }],
    ['a long error', { id: 1, error: { message: 'x'.repeat(2_000) } }, { message: 'x'.repeat(1_000) }],
    ['a request', { id: 'a', method: 'ping' }, { kind: 'request', id: 'a', method: 'ping' }],
    ['a notification', { method: 'm' }, { kind: 'notification', method: 'm' }],
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
    expect(readServerMessage(bytes)).toMatchObject({ kind: 'result' });
    bytes[text.indexOf('?')] = 0xff;
    expect(readServerMessage(bytes)).toEqual({ kind: 'invalid' });
  });

  test('JSON of 200 levels is read, and deeper JSON is invalid', () => {
    const nested = (levels: number) =>
      Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`);
    expect(readServerMessage(nested(198))).toMatchObject({ kind: 'result' });
    expect(readServerMessage(nested(199))).toEqual({ kind: 'invalid' });
    expect(readServerMessage(Buffer.alloc(1_000_000, '['))).toEqual({ kind: 'invalid' });
  });

  test('Any bytes are a message or invalid', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((json) => Buffer.from(json)),
        ),
        (bytes) => {
          expect(readServerMessage(bytes)).toHaveProperty('kind');
        },
      ),
    );
  });
});
