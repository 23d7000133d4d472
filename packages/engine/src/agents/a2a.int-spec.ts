import type { ServerResponse } from 'node:http';
import { type AttemptPlan, DEFAULT_LIMITS } from '@agentclash/attempt-plan';
import { createEgress, DEFAULT_EGRESS_SETTINGS } from '@agentclash/egress';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type A2aResponse, A2aServer, a2aMessage, a2aTask } from '../testing/a2a-server.js';
import { AttemptHarness } from '../testing/attempt-harness.js';
import { conversationPlan, person, scriptedPhase } from '../testing/conversations.js';
import { attemptPlan } from '../testing/plans.js';

const SECRET = 'sk-a2a-0f1e2d3c4b';
const harness = new AttemptHarness();
const server = new A2aServer();
const egress = createEgress({ settings: { ...DEFAULT_EGRESS_SETTINGS, operatorUnlock: ['127.0.0.1/32'] } });

beforeAll(async () => {
  await harness.open();
  await server.open();
  harness.secrets.set('A2A', SECRET);
});
afterAll(async () => {
  await harness.close();
  await server.close();
});
beforeEach(() => {
  server.calls.length = 0;
});

const agent = () => ({
  kind: 'endpoint' as const,
  config: { url: server.url, protocol: 'a2a' as const, credential_reference: 'workspace-secret://A2A' },
});
const run = (changes: Partial<AttemptPlan> = {}, signal?: AbortSignal) =>
  harness.run(attemptPlan(agent(), { mode: 'prompt_eval', ...changes }), {
    egress,
    ...(signal && { signal }),
  });
const shortly = { limits: { ...DEFAULT_LIMITS, run_timeout_seconds: 1 } };

describe('an agent of A2A', () => {
  test('an agent of A2A receives the task as text and data with its credential, and its message is the output', async () => {
    server.reply = () => a2aMessage('5');
    const { result, events } = await run();
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'endpoint' });
    expect(events.payloads('system.output.finalized')).toMatchObject([{ final_output: '5' }]);
    expect(server.calls).toHaveLength(1);
    expect(server.calls[0]).toMatchObject({ method: 'message/send', authorization: `Bearer ${SECRET}` });
    const parts = server.calls[0]?.params.message?.parts ?? [];
    expect(parts.map(({ kind }) => kind)).toEqual(['text', 'data']);
    expect(parts[0]?.text).toContain('Add 2 and 3.');
    expect(parts[1]?.data).toMatchObject({ schema: 'agentclash.task/1', payload: { a: 2, b: 3 } });
  });

  test('an agent of A2A that works on a task is polled until its artifact is there', async () => {
    const artifacts = [{ artifactId: 'a', parts: [{ kind: 'text', text: 'the sum is 5' }] }];
    server.reply = ({ method }, earlier) => {
      if (method === 'message/send') return a2aTask('submitted');
      return earlier < 2 ? a2aTask('working') : a2aTask('completed', 'done', { artifacts });
    };
    const { result, events } = await run();
    expect(result.outcome).toBe('completed');
    expect(events.payloads('system.output.finalized')).toMatchObject([{ final_output: 'the sum is 5' }]);
    expect(server.methods()).toEqual(['message/send', 'tasks/get', 'tasks/get', 'tasks/get']);
    expect(server.calls[1]?.params.id).toBe('task-1');
  });

  test('an agent of A2A whose polls fail for a moment is polled again, and after five failures unreachable', async () => {
    const busy = (response: ServerResponse) => response.writeHead(503).end();
    server.reply = ({ method }, earlier) => {
      if (method === 'message/send') return a2aTask('working');
      return earlier < 4 ? busy : a2aTask('completed', '5');
    };
    expect((await run()).result.outcome).toBe('completed');
    server.reply = ({ method }) => (method === 'message/send' ? a2aTask('working') : busy);
    server.calls.length = 0;
    const { result } = await run();
    expect(result).toMatchObject({
      outcome: 'provider_error',
      error: { code: 'unavailable', retryable: true },
    });
    expect(server.methods().filter((method) => method === 'tasks/get')).toHaveLength(5);
    expect(server.methods().at(-1)).toBe('tasks/cancel');
  });

  test('an agent of A2A that works without end is cancelled at its time limit', async () => {
    server.reply = () => a2aTask('working');
    const { result } = await run(shortly);
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'time' });
    expect(server.calls.at(-1)).toMatchObject({ method: 'tasks/cancel', params: { id: 'task-1' } });
  });

  test('an agent of A2A that does not respond to its cancellation delays the end by two seconds at most', async () => {
    server.reply = ({ method }) => (method === 'tasks/cancel' ? () => undefined : a2aTask('working'));
    const startedAt = performance.now();
    const { result } = await run(shortly);
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'time' });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  test('an agent of A2A is cancelled along with its attempt', async () => {
    const cancelled = new AbortController();
    server.reply = ({ method }) => {
      if (method === 'tasks/get') cancelled.abort();
      return a2aTask('working');
    };
    const { result } = await run({}, cancelled.signal);
    expect(result.outcome).toBe('cancelled');
    expect(server.methods().at(-1)).toBe('tasks/cancel');
  });

  const raw =
    (body: string | Buffer, status = 200, headers: Record<string, string> = {}): A2aResponse =>
    (response) => {
      response.writeHead(status, headers);
      response.end(body);
    };
  const envelope = (result: string) => (id: string) => `{"jsonrpc":"2.0","id":"${id}","result":${result}}`;
  const deep = envelope(
    `{"kind":"message","parts":[{"kind":"data","data":${'['.repeat(1e6)}${']'.repeat(1e6)}}]}`,
  );

  test.each([
    ['a blank message', a2aMessage(' '), { outcome: 'agent_error', error: { code: 'empty_output' } }],
    [
      'a failed task',
      a2aTask('failed', 'no tools'),
      endpointError('the task of the agent ended as failed: no tools'),
    ],
    ['a rejected task', a2aTask('rejected'), endpointError('the task of the agent ended as rejected')],
    [
      'a task that needs a login',
      a2aTask('auth-required', 'log in'),
      endpointError('the task of the agent ended as auth-required: log in'),
    ],
    [
      'an error about its parameters',
      { error: { code: -32_602, message: `bad ${SECRET}` } },
      endpointError('the agent refused the task with the error -32602: bad [redacted:A2A]'),
    ],
    [
      'an internal error',
      { error: { code: -32_603, message: 'oops' } },
      { outcome: 'provider_error', error: { code: 'unavailable', retryable: true } },
    ],
    ['404', raw('', 404), endpointError('the endpoint refused the task with status 404: config.url must be')],
    ['500', raw('', 500), { outcome: 'provider_error', error: { code: 'unavailable', retryable: true } }],
    ['429', raw('', 429, { 'retry-after': '9' }), { outcome: 'provider_error', retry_after_ms: 9_000 }],
    ['HTML', raw('<html/>'), { outcome: 'agent_error', error: { code: 'malformed_reply' } }],
    ['no text', raw(Buffer.of(0xff)), { outcome: 'agent_error', error: { code: 'malformed_reply' } }],
    [
      'another request',
      raw('{"jsonrpc":"2.0","id":"x","result":{}}'),
      { error: { code: 'malformed_reply' } },
    ],
    ['204', raw('', 204), { outcome: 'agent_error', error: { code: 'malformed_reply' } }],
    ['6 MiB', a2aMessage('x'.repeat(6 << 20)), { outcome: 'limit_reached', limit_kind: 'output' }],
    [
      'too much output',
      a2aMessage('x'.repeat((1 << 20) + 1)),
      { outcome: 'limit_reached', limit_kind: 'output' },
    ],
    [
      'a lost connection',
      (r: ServerResponse) => r.destroy(),
      { outcome: 'provider_error', error: { retryable: true } },
    ],
  ] as [string, A2aResponse, object][])(
    'an agent of A2A that replies with %s ends with its outcome',
    async (_what, reply, wanted) => {
      server.reply = () => reply;
      const { result, events } = await run();
      expect(result).toMatchObject(wanted);
      expect(events.text()).not.toContain(SECRET);
    },
  );

  test('an agent of A2A that nests its reply a million levels deep has a malformed reply', async () => {
    server.reply = ({ id }) => raw(deep(id));
    const { result } = await run();
    expect(result).toMatchObject({ outcome: 'agent_error', error: { code: 'malformed_reply' } });
  });

  test('an agent of A2A that changes the id of its task has a malformed reply', async () => {
    server.reply = ({ method }) =>
      method === 'message/send' ? a2aTask('working') : a2aTask('completed', '5', { id: 'task-2' });
    const { result } = await run();
    expect(result).toMatchObject({ outcome: 'agent_error', error: { code: 'malformed_reply' } });
  });

  test('an agent of A2A that never replies ends at its time limit', async () => {
    server.reply = () => () => undefined;
    expect((await run(shortly)).result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'time' });
  });
});

function endpointError(message: string) {
  return {
    outcome: 'agent_error',
    error: { code: 'endpoint_error', retryable: false, message: expect.stringContaining(message) },
  };
}

describe('a conversation with an agent of A2A', () => {
  const texts = () =>
    server.calls.map(({ params }) => params.message?.parts.filter(({ kind }) => kind === 'text').length);

  test('a conversation with an agent of A2A continues its context and its task that expects input', async () => {
    server.reply = (_call, earlier) =>
      [a2aTask('input-required', 'Which?'), a2aTask('completed', 'Both.')][earlier] ?? a2aMessage('Bye.');
    const plan = conversationPlan(agent(), [scriptedPhase('open', 'Hi.', 'The second.', 'Thanks.')]);
    const { result, events } = await harness.run(plan, { egress });
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'conversation' });
    expect(events.payloads('turn.assistant.message').map(({ message }) => message)).toEqual([
      'Which?',
      'Both.',
      'Bye.',
    ]);
    const messages = server.calls.map(({ params }) => params.message);
    expect(messages.map((message) => [message?.contextId, message?.taskId])).toEqual([
      [undefined, undefined],
      ['context-1', 'task-1'],
      ['context-1', undefined],
    ]);
    expect(texts()).toEqual([2, 1, 1]);
    expect(messages[1]?.parts).toEqual([{ kind: 'text', text: 'The second.' }]);
  });

  test('a conversation with an agent of A2A without contexts sends the task and the transcript in every turn', async () => {
    server.reply = (_call, earlier) => a2aMessage(`reply ${earlier}`);
    const plan = conversationPlan(agent(), [scriptedPhase('open', 'Hi.', 'And?')]);
    await harness.run(plan, { egress });
    const data = server.calls[1]?.params.message?.parts.find(({ kind }) => kind === 'data')?.data;
    expect(data?.transcript).toEqual([
      { role: 'user', message: 'Hi.' },
      { role: 'assistant', message: 'reply 0' },
      { role: 'user', message: 'And?' },
    ]);
  });

  test('a conversation with an agent of A2A keeps its context while it waits for a person', async () => {
    server.reply = ({ method }) =>
      method === 'message/send' ? a2aTask('input-required', 'More?') : a2aTask('canceled');
    const plan = conversationPlan(agent(), [scriptedPhase('open', 'Hi.'), person()]);
    const { result } = await harness.run(plan, { egress }, [{ message: 'More.' }]);
    expect(result.outcome).toBe('completed');
    expect(server.methods()).toEqual(['message/send', 'message/send', 'tasks/cancel']);
    expect(server.calls[1]?.params.message).toMatchObject({ contextId: 'context-1', taskId: 'task-1' });
  });
});
