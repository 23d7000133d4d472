import { setImmediate } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '@agentclash/challengepack';
import type { WorkBounds } from '@agentclash/engine';
import { type ReplyForm, type ReplyTask, readReply } from '@agentclash/engine/replies';
import {
  prepareCall,
  type RawCall,
  type RawModelReply,
  readMcpMessage,
  readModelReply,
} from '@agentclash/model-broker';
import { waitFor } from '@agentclash/testkit';
import { longestBlockMs } from '@agentclash/testkit/event-loop';
import { afterEach, describe, expect, test } from '@jest/globals';
import { UntrustedThreads } from './untrusted-threads.js';

const BLOCKED_MS_MAX = 500;
/** Of replies, which are only passed on, or so short that they are read on the calling thread. */
const REPLY_BLOCKED_MS_MAX = 75;
const made: UntrustedThreads[] = [];

function threads(limits: ConstructorParameters<typeof UntrustedThreads>[0] = {}): UntrustedThreads {
  const opened = new UntrustedThreads({ timeoutMs: 60_000, ...limits });
  made.push(opened);
  return opened;
}

const bounds = (changes: Partial<WorkBounds> = {}): WorkBounds => ({
  signal: new AbortController().signal,
  exclude: () => undefined,
  ...changes,
});
const given = (schema: JsonObject, args: JsonValue, ...opaque: string[]) => ({
  schema,
  args,
  opaque: new Set(opaque),
});

/** Each definition applies the one before it twice to the member "x". */
function doubling(levels: number): JsonObject {
  const $defs: Record<string, JsonObject> = { a0: { type: 'string' } };
  for (let at = 1; at <= levels; at += 1) {
    const below = { properties: { x: { $ref: `#/$defs/a${at - 1}` } } };
    $defs[`a${at}`] = { allOf: [below, below] };
  }
  return { type: 'object', $defs, $ref: `#/$defs/a${levels}` };
}
/** Each of the last 2,000 letters matters, so that RE2 follows 2,000 threads through the text, 40 times. */
const SLOW: JsonObject = {
  properties: {
    text: { anyOf: Array.from({ length: 40 }, (_, at) => ({ pattern: `a[ab]{1000}[ab]{${950 + at}}[cd]` })) },
  },
};
const LONG = { text: letters(200_000) };

/** Letters a and b in an order without a pattern (xorshift). */
function letters(count: number): string {
  let state = 123_456_789;
  return Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return 'ab'[state & 1];
  }).join('');
}

afterEach(async () => {
  for (const each of made.splice(0)) await each.stop();
});

describe('texts are searched in threads', () => {
  const search = { isCaseSensitive: true, max: 10 };

  test('the reply of a search names the texts with a match, up to the limit', async () => {
    const patterns = threads().patternsOf('w');
    const texts = ['one', 'TWO', 'on', 'once'];
    expect(await patterns.search({ ...search, pattern: '^on', texts }, bounds())).toEqual([0, 2, 3]);
    expect(await patterns.search({ ...search, pattern: 'o', texts, max: 2 }, bounds())).toEqual([0, 2]);
    const anyCase = { ...search, isCaseSensitive: false, pattern: 'two', texts };
    expect(await patterns.search(anyCase, bounds())).toEqual([1]);
    expect(await patterns.search({ ...search, pattern: '(', texts }, bounds())).toBe('invalid');
  });

  test('a pattern that takes minutes ends without a reply and delays nothing', async () => {
    const patterns = threads({ timeoutMs: 1_000 }).patternsOf('w');
    const pattern = Array.from({ length: 8 }, (_, at) => `a[ab]{1000}[ab]{${950 + at}}[cd]`).join('|');
    let reply: unknown;
    const attack = async () => {
      reply = await patterns.search({ ...search, pattern, texts: [LONG.text.repeat(10)] }, bounds());
    };
    expect(await longestBlockMs(attack)).toBeLessThan(BLOCKED_MS_MAX);
    expect(reply).toBe('limit');
  });
});

describe('arguments are checked in threads', () => {
  test('the verdict on arguments names the first violation by its position', async () => {
    const checks = threads().argumentsOf('w');
    const schema: JsonObject = {
      type: 'object',
      properties: { b: { type: 'integer' }, a: { type: 'string', pattern: '^x' } },
      required: ['a'],
      additionalProperties: false,
    };
    expect(await checks.check(given(schema, { a: 'xy', b: 1 }), bounds())).toEqual({ ok: true });
    expect(await checks.check(given(schema, { b: 'x' }), bounds())).toEqual({
      ok: false,
      path: '/a',
      message: 'is missing',
    });
    expect(await checks.check(given(schema, { a: '[secret]' }, '/a'), bounds())).toEqual({ ok: true });
    expect(await checks.check(given({ $ref: '#/none' }, {}), bounds())).toEqual({
      unchecked: 'invalid_schema',
    });
  });

  test('a cached schema gives the same verdict as a new one', async () => {
    const checks = threads({ threads: 1 }).argumentsOf('w');
    for (const round of [1, 2]) {
      for (let at = 0; at < 120; at += 1) {
        const verdict = await checks.check(given({ required: [`k${at}`] }, { round }), bounds());
        expect(verdict).toMatchObject({ ok: false, path: `/k${at}` });
      }
    }
  });

  test('2^60 references to one schema are checked once, and delay nothing', async () => {
    const checks = threads().argumentsOf('w');
    let args: JsonValue = 'text';
    for (let at = 0; at < 60; at += 1) args = { x: args };
    const check = () => checks.check(given(doubling(60), args), bounds());
    expect(await check()).toEqual({ ok: true });
    expect(await longestBlockMs(check)).toBeLessThan(BLOCKED_MS_MAX);
  });

  test('a check that takes too long ends without a verdict and delays nothing', async () => {
    const opened = threads({ timeoutMs: 1_000 });
    const check = () => opened.argumentsOf('w').check(given(SLOW, LONG), bounds());
    let verdict: unknown;
    const attack = async () => {
      verdict = await check();
    };
    expect(await longestBlockMs(attack)).toBeLessThan(BLOCKED_MS_MAX);
    expect(verdict).toEqual({ unchecked: 'limit' });
  });

  test('one workspace does not keep another waiting, and its own wait is none of the attempt', async () => {
    const opened = threads();
    const cancelled = new AbortController();
    const excluded: number[] = [];
    const first = bounds({ signal: cancelled.signal });
    const second = bounds({ signal: cancelled.signal, exclude: (ms) => excluded.push(ms) });
    const attack = [first, second].map((each) =>
      opened.argumentsOf('hostile').check(given(SLOW, LONG), each),
    );
    const settled = Promise.allSettled(attack);
    const victim = bounds({ exclude: () => expect('waited').toBe('never') });
    expect(await opened.argumentsOf('victim').check(given({ type: 'object' }, {}), victim)).toEqual({
      ok: true,
    });
    await waitFor(() => excluded.length >= 2, { intervalMs: 20 });
    cancelled.abort(new Error('the attempt is over'));
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(Math.min(...excluded)).toBeGreaterThan(0);
  });
});

describe('requests of programs are read in threads', () => {
  const MIB = 1024 * 1024;
  const rawCall = (content: unknown): RawCall => ({
    wire: 'chat',
    kind: 'call',
    body: Buffer.from(JSON.stringify({ model: 'main', messages: [{ role: 'user', content }] })),
    path: {},
    models: { main: 'real' },
    main: 'main',
    allowsServerFeatures: false,
  });
  const { signal } = new AbortController();

  test.each([10, 100_000, 30 * MIB])(
    'a text of %d characters is read as on the calling thread',
    async (length) => {
      const call = rawCall('x'.repeat(length));
      expect(await threads().callsOf('w')(call, signal)).toEqual(prepareCall(call));
    },
  );

  test('a request of millions of values blocks no other work, and is refused where it takes too much', async () => {
    const call = rawCall(Array.from({ length: 3_000_000 }, () => ({ type: 'text' })));
    const prepare = threads().callsOf('w');
    let reply: Awaited<ReturnType<typeof prepare>> | undefined;
    const blockedMs = await longestBlockMs(async () => {
      reply = await prepare(call, signal);
    });
    expect(reply).toMatchObject({ refused: { reason: 'too_large', status: 413 } });
    expect(blockedMs).toBeLessThan(BLOCKED_MS_MAX);
  });
});

describe('replies of providers are read in threads', () => {
  const { signal } = new AbortController();
  const rawReply = (message: object): RawModelReply => ({
    wire: 'chat',
    isStream: false,
    reply: Buffer.from(JSON.stringify({ id: 'r', choices: [{ message, finish_reason: 'stop' }] })),
  });

  test.each([10, 100_000, 15_000_000])(
    'a reply of %d characters is read as on the calling thread',
    async (length) => {
      const reply = rawReply({ content: 'x'.repeat(length) });
      const read = await threads().modelRepliesOf('w')(reply, signal);
      expect(read).toEqual(readModelReply(reply));
      expect(read).toMatchObject({ isComplete: true, text: 'x'.repeat(length) });
    },
  );

  test.each([
    ['values that no wire has', { content: '', extra: Array.from({ length: 3_000_000 }, () => []) }],
    ['arguments of a call', callWith(JSON.stringify(Array.from({ length: 3_000_000 }, () => [])))],
  ])('a reply of millions of %s blocks no other work, and is too large', async (_title, message) => {
    const reply = rawReply(message);
    const read = threads({ timeoutMs: 50 }).modelRepliesOf('w');
    let result: Awaited<ReturnType<typeof read>> | undefined;
    const blockedMs = await longestBlockMs(async () => {
      result = await read(reply, signal);
    });
    expect(result).toBe('too_large');
    expect(blockedMs).toBeLessThan(BLOCKED_MS_MAX);
  });

  function callWith(args: string) {
    return { tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: args } }] };
  }
});

describe('messages of programs to their tools are read in threads', () => {
  const message = (content: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'ping', params: { content } });
  const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
  const { signal } = new AbortController();

  test.each([10, 100_000])('a message of %d characters is read as on the calling thread', async (length) => {
    const body = bytes(message('x'.repeat(length)));
    const read = await threads().messagesOf('w')(body, signal);
    expect(read).toEqual(readMcpMessage(body));
    expect(read).toMatchObject({ id: 1, method: 'ping', params: { content: 'x'.repeat(length) } });
  });

  test('a message that takes too much to read is refused and delays nothing', async () => {
    const body = bytes(message(Array.from({ length: 2_000_000 }, () => [])));
    const read = threads({ timeoutMs: 50 }).messagesOf('w');
    let reply: Awaited<ReturnType<typeof read>> | undefined;
    const blockedMs = await longestBlockMs(async () => {
      reply = await read(body, signal);
    });
    expect(reply).toMatchObject({ kind: 'invalid' });
    expect(blockedMs).toBeLessThan(BLOCKED_MS_MAX);
  });
});

describe('replies of agents and of servers of tools are read in threads', () => {
  const MIB = 1024 * 1024;
  const { signal } = new AbortController();
  const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
  /** A reply of each form that holds a value where the form has a place for it. */
  const TASKS: { [F in ReplyForm]: (value: unknown) => ReplyTask<F> } = {
    acp_lines: (rawInput) => {
      const update = { sessionUpdate: 'tool_call', rawInput };
      const message = { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } };
      return { form: 'acp_lines', bytes: bytes(message) };
    },
    mcp_lines: (other) => {
      const result = { content: [{ type: 'text', text: 'a' }], other };
      return { form: 'mcp_lines', bytes: bytes({ jsonrpc: '2.0', id: 1, result }) };
    },
    mcp_message: (tools) => ({
      form: 'mcp_message',
      bytes: bytes({ jsonrpc: '2.0', id: 1, result: { tools } }),
    }),
    mcp_events: (other) => {
      const result = { content: [{ type: 'text', text: 'a' }], other };
      const event = `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`;
      return { form: 'mcp_events', bytes: Buffer.from(event) };
    },
    a2a: (data) => {
      const result = { kind: 'message', parts: [{ kind: 'data', data }] };
      return { form: 'a2a', bytes: bytes({ jsonrpc: '2.0', id: 'r', result }) };
    },
    endpoint: (other) => ({ form: 'endpoint', bytes: bytes({ output: 'done', other }) }),
    json_lines: (other) => ({
      form: 'json_lines',
      bytes: bytes({ type: 'end', text: 'done', other }),
      source: { from: 'last_json_line', where: { type: 'end' }, path: ['text'] },
    }),
  };
  const FORMS = Object.keys(TASKS) as ReplyForm[];

  test.each(FORMS)('a reply of the form %s is read as on the calling thread', async (form) => {
    const opened = threads();
    for (const value of ['short', 'x'.repeat(MIB), [{ name: 'a' }]]) {
      const task = TASKS[form](value);
      const read = await opened.repliesOf('w')(task, { signal });
      expect(read).toEqual(readReply(task));
      expect(JSON.stringify(read)).toMatch(/\w/);
    }
  });

  test.each(FORMS)('replies of the form %s of millions of values delay nothing', async (form) => {
    const task = TASKS[form](Array.from({ length: 1_300_000 }, () => []));
    expect(task.bytes.length).toBeGreaterThan(3 * MIB);
    const read = threads().repliesOf('w');
    let replies: unknown[] = [];
    const blockedMs = await longestBlockMs(async () => {
      replies = await Promise.all([1, 2, 3].map(() => read(task, { signal })));
    });
    expect(replies).toHaveLength(3);
    expect(blockedMs).toBeLessThan(REPLY_BLOCKED_MS_MAX);
  });

  test.each([
    ['brackets', Buffer.alloc(4 * MIB, '[')],
    ['bytes that are no UTF-8', Buffer.alloc(4 * MIB, 0xff)],
    ['empty lines', Buffer.alloc(4 * MIB, '\n')],
    ['lines of an empty object', Buffer.alloc(4 * MIB, '{}\n')],
  ])('4 MiB of %s are no message and delay nothing', async (_title, junk) => {
    const read = threads().repliesOf('w');
    const replies: unknown[] = [];
    const blockedMs = await longestBlockMs(async () => {
      replies.push(await read({ form: 'acp_lines', bytes: junk }, { signal }));
      replies.push(await read({ form: 'mcp_message', bytes: junk }, { signal }));
      replies.push(await read({ form: 'a2a', bytes: junk }, { signal }));
      replies.push(await read({ form: 'endpoint', bytes: junk }, { signal }));
    });
    expect(replies).toEqual([[], { kind: 'invalid' }, undefined, undefined]);
    expect(blockedMs).toBeLessThan(REPLY_BLOCKED_MS_MAX);
  });

  test('a reply that takes too much to read is an overrun', async () => {
    const opened = threads({ timeoutMs: 5 });
    for (const form of FORMS) {
      const task = TASKS[form](Array.from({ length: 1_300_000 }, () => []));
      expect(await opened.repliesOf('w')(task, { signal })).toBe('overrun');
    }
  });

  test('hundreds of short replies, the worst of their length, delay nothing on the calling thread', async () => {
    const short = [
      Buffer.from('{}\n'.repeat(5_400)),
      Buffer.from('['.repeat(16_000)),
      Buffer.from(`${'['.repeat(199)}${']'.repeat(199)}\n`.repeat(40)),
      Buffer.from(JSON.stringify(Array.from({ length: 5_400 }, () => []))),
      Buffer.from('{"method":"session/update"}\n'.repeat(580)),
    ];
    const read = threads().repliesOf('w');
    const blockedMs = await longestBlockMs(async () => {
      for (let round = 0; round < 100; round += 1) {
        for (const each of short) {
          expect(each.length).toBeLessThanOrEqual(16 * 1024);
          await read({ form: 'acp_lines', bytes: each }, { signal });
          await setImmediate();
        }
      }
    });
    expect(blockedMs).toBeLessThan(REPLY_BLOCKED_MS_MAX);
  });

  test('many long replies of one workspace keep no other waiting, and its own wait is none of the attempt', async () => {
    const opened = threads();
    const task = TASKS.a2a(Array.from({ length: 1_300_000 }, () => []));
    const excluded: number[] = [];
    const ended: string[] = [];
    const read = async (workspace: string, exclude: (ms: number) => void) => {
      await opened.repliesOf(workspace)(task, { signal, exclude });
      ended.push(workspace);
    };
    const hostile = Array.from({ length: 12 }, () => read('hostile', (ms) => excluded.push(ms)));
    await read('victim', () => expect('waited').toBe('never'));
    await Promise.all(hostile);
    expect(ended.indexOf('victim')).toBeLessThan(3);
    expect(excluded.length).toBeGreaterThan(0);
  });
});
