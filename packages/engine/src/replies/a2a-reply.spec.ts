import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readA2aReply } from './a2a-reply.js';

const read = (result: unknown) => readA2aReply({ jsonrpc: '2.0', id: 'r', result });
const text = (value: string) => ({ kind: 'text', text: value });
const agentMessage = (...parts: object[]) => ({ kind: 'message', role: 'agent', messageId: 'm', parts });
const task = (state: string, more: object = {}, status: object = {}) => ({
  kind: 'task',
  id: 't',
  contextId: 'c',
  status: { state, ...status },
  ...more,
});

describe('a reply of A2A', () => {
  test('a message yields its texts and data in order, without its files', () => {
    const file = { kind: 'file', file: { name: 'a', bytes: 'AA==' } };
    const reply = read({
      ...agentMessage(text('one'), file, { kind: 'data', data: { a: 1 } }),
      contextId: 'c',
    });
    expect(reply).toEqual({ kind: 'message', requestId: 'r', text: 'one\n{"a":1}', contextId: 'c' });
  });

  test('a completed task yields its artifacts, else its status message, else the last message of the agent', () => {
    const history = [
      agentMessage(text('first')),
      agentMessage(text('last')),
      { role: 'user', parts: [text('x')] },
    ];
    const status = { message: agentMessage(text('status')) };
    const artifacts = [
      { artifactId: '1', parts: [text('a')] },
      { artifactId: '2', parts: [text('b')] },
    ];
    expect(read(task('completed', { artifacts, history }, status))).toMatchObject({ text: 'a\nb' });
    expect(read(task('completed', { artifacts: [], history }, status))).toMatchObject({ text: 'status' });
    expect(read(task('completed', { history }))).toMatchObject({ text: 'last' });
    expect(read(task('completed'))).toMatchObject({ text: '' });
  });

  test('a task that expects input yields its status message before its artifacts', () => {
    const artifacts = [{ artifactId: '1', parts: [text('draft')] }];
    const reply = read(task('input-required', { artifacts }, { message: agentMessage(text('Which?')) }));
    expect(reply).toMatchObject({ phase: 'paused', text: 'Which?', id: 't', contextId: 'c' });
  });

  test.each([
    ['submitted', 'open'],
    ['working', 'open'],
    ['completed', 'completed'],
    ['failed', 'failed'],
    ['rejected', 'failed'],
    ['canceled', 'failed'],
    ['auth-required', 'failed'],
    ['unknown', 'failed'],
  ])('a task in state %s is %s', (state, phase) => {
    expect(read(task(state))).toMatchObject({ state, phase });
  });

  test.each([
    ['no object', 5],
    ['a task in a state that does not exist', task('thinking')],
    ['a task in a state by the name of a member of objects', task('constructor')],
    ['a task without an id', { ...task('working'), id: '' }],
    ['a task with an id of 1,025 characters', { ...task('working'), id: 'x'.repeat(1_025) }],
    ['a message without parts', { kind: 'message', role: 'agent' }],
    ['an update of a stream', { kind: 'status-update', taskId: 't', status: { state: 'working' } }],
  ])('a result that is %s is refused', (_what, result) => {
    expect(read(result)).toBeUndefined();
  });

  test('a response names its request, and without a version or an id only an error is read', () => {
    const result = agentMessage(text('a'));
    expect(readA2aReply({ jsonrpc: '2.0', id: 'x', result })).toMatchObject({ requestId: 'x' });
    expect(readA2aReply({ jsonrpc: '2.0', id: 1, result })).toBeUndefined();
    expect(readA2aReply({ id: 'r', result })).toBeUndefined();
    const error = { code: -32_602, message: 'no' };
    expect(readA2aReply({ jsonrpc: '2.0', id: null, error })).toEqual({ kind: 'error', ...error });
  });

  test('a response of any JSON is read or refused without an exception', () => {
    const member = fc.constantFrom('kind', 'id', 'status', 'state', 'message', 'parts', 'text', 'data');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'medium' },
        fc.constantFrom('task', 'message', 'completed', 'working', 't', '', null, 1),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(member, fc.constantFrom('artifacts', 'history', 'role')), tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), tree), (result) => {
        const reply = read(result);
        if (reply?.kind === 'task') expect(reply.id).not.toBe('');
        if (reply && reply.kind !== 'error') expect(typeof reply.text).toBe('string');
      }),
      { numRuns: 1_000 },
    );
  });

  test('a message of any texts yields all of them in order', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (texts) => {
        const reply = read(agentMessage(...texts.map(text)));
        expect(reply).toEqual({ kind: 'message', requestId: 'r', text: texts.join('\n') });
      }),
    );
  });
});
