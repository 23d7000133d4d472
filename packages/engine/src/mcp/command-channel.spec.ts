import type { ExecResult } from '@agentclash/sandbox';
import { fakeClock, waitFor } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { readHere } from '../replies/read-reply.js';
import type { CommandOptions } from '../sandbox/attempt-sandbox.js';
import { CommandChannel } from './command-channel.js';
import { MCP_LIMITS, type McpLimits } from './limits.js';

const { signal } = new AbortController();

/** A channel to a command that writes the texts of a test, and never ends by itself. */
function setUp(limits: Partial<McpLimits> = {}) {
  const clock = fakeClock();
  const received: string[] = [];
  const changes: number[] = [];
  let write = (_text: string) => {};
  const exec = async (_argv: readonly string[], options: CommandOptions) => {
    write = (text) => options.onStdout?.(Buffer.from(text));
    for await (const chunk of options.stdin as AsyncIterable<Buffer>) {
      received.push(...chunk.toString().trim().split('\n'));
    }
    return { exitCode: 0 } as ExecResult;
  };
  const channel = new CommandChannel({
    sandbox: () => ({ exec }),
    command: ['server'],
    env: {},
    readReplies: readHere,
    clock,
    limits: { ...MCP_LIMITS, ...limits },
    onListChanged: () => void changes.push(1),
  });
  const result = (id: number, text: string) => write(`${resultLine(id, text)}\n`);
  return { channel, clock, received, changes, result, write: (text: string) => write(text) };
}

const resultLine = (id: number, text: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
const withText = (text: string) => expect.objectContaining({ output: { text, isError: false } });
const bounds = { timeoutMs: 5_000, signal };

describe('The messages of a server that is a command', () => {
  test('A server that is silent gives a timeout, and the next request is made', async () => {
    const { channel, clock, result } = setUp();
    const silent = expect(channel.request('initialize', {}, bounds)).rejects.toMatchObject({
      code: 'timeout',
      message: 'the server did not reply within 5 s',
    });
    await clock.advance(5_000);
    await silent;
    const next = channel.request('ping', {}, bounds);
    result(1, 'late');
    result(2, 'in time');
    expect(await next).toEqual(withText('in time'));
    await channel.close();
  });

  test('Replies are taken by their id, in parts and in any order', async () => {
    const { channel, write, received } = setUp();
    const replies = [channel.request('a', {}, bounds), channel.request('b', {}, bounds)];
    const second = resultLine(2, 'b');
    write(second.slice(0, 30));
    write(`${second.slice(30)}\n\n${resultLine(1, 'a')}\n`);
    expect(await Promise.all(replies)).toEqual([withText('a'), withText('b')]);
    await channel.close();
    expect(received.map((line) => JSON.parse(line).method)).toEqual(['a', 'b']);
  });

  test('A change of the list is reported, and other notifications are not', async () => {
    const { channel, write, changes } = setUp();
    write('{"jsonrpc":"2.0","method":"notifications/message"}\n');
    write('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n');
    await waitFor(() => changes.length === 1);
    await channel.close();
  });

  test.each<[string, Partial<McpLimits>, string]>([
    ['a message above its limit', { messageBytes: 100 }, 'a message has more than 100 B'],
    ['more output than its limit', { outputBytes: 100 }, 'the server wrote more than it may'],
    ['more lines than are read', { unreadBytes: 100 }, 'the server writes faster than its messages are read'],
  ])('A server that writes %s is cut off, and every request fails', async (_title, limits, message) => {
    const { channel, write } = setUp(limits);
    const request = channel.request('a', {}, bounds);
    const failed = expect(request).rejects.toMatchObject({ code: 'too_large', message });
    write(`${'x'.repeat(60)}\n${'x'.repeat(60)}\n${'x'.repeat(200)}`);
    await failed;
    await expect(channel.request('b', {}, bounds)).rejects.toMatchObject({ code: 'unreachable' });
    await channel.close();
  });

  test('Requests of the server are replied to, a limited number of times', async () => {
    const { channel, write, received } = setUp({ requests: 2 });
    for (const id of [1, 2, 3])
      write(`{"jsonrpc":"2.0","id":${id},"method":"${id === 1 ? 'ping' : 'roots/list'}"}\n`);
    await waitFor(() => received.length === 2);
    await channel.close();
    expect(received.map((line) => JSON.parse(line))).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: { code: -32_601 } },
    ]);
  });
});
