import { type AttemptEvent, divergenceText, type RecordedCall } from '@agentclash/domain';
import { requestParts } from '@agentclash/model-broker';
import { Secret } from '@agentclash/redaction';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { systemClock } from '../clock.js';
import { openHistory } from '../events/history.js';
import { attemptPlan } from '../testing/plans.js';
import type { CallTarget } from './call-target.js';
import { firstDifference } from './difference.js';
import { CallRecorder } from './recorder.js';
import { CallReplay } from './replay.js';

function openedHistory() {
  const emitted: AttemptEvent[] = [];
  const plan = attemptPlan({ kind: 'scripted', config: { steps: [] } });
  const history = openHistory(plan, {
    clock: systemClock,
    emit: (event) => emitted.push(event),
    secrets: { resolve: async () => [] },
  });
  const recorded = () =>
    emitted.flatMap(({ event_type, payload }) =>
      event_type === 'model.call.recorded' ? [payload as RecordedCall] : [],
    );
  return { history, recorded, types: () => emitted.map(({ event_type }) => event_type) };
}

const target = (texts: readonly string[]): CallTarget => ({
  kind: 'program',
  provider_key: 'openai',
  model: 'm',
  parts: requestParts({ messages: texts.map((content) => ({ role: 'user', content })) }, 'chat'),
});

const COMPLETED = { because: 'completed', finishedBy: 'message', output: 'done' } as const;

const replyOf = (body: string) => ({ kind: 'http' as const, status: 200, headers: {}, body });

describe('a recording', () => {
  test('Any conversations that are recorded are served again, each reply to its request', async () => {
    const conversation = fc.array(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(conversation, { maxLength: 30 }), async (conversations) => {
        const { history, recorded } = openedHistory();
        const recorder = new CallRecorder({ history });
        for (const [index, texts] of conversations.entries())
          recorder.begin(target(texts))(replyOf(`${index}`));
        const replay = new CallReplay(async () => ({ calls: recorded() }), history);
        for (const [index, texts] of conversations.entries()) {
          expect(await replay.serve(target(texts))).toEqual(replyOf(`${index}`));
        }
      }),
    );
  });

  test('Calls that were under way at once are served in any order, later ones are not', async () => {
    const { history, recorded } = openedHistory();
    const recorder = new CallRecorder({ history });
    const ends = ['title', 'task'].map((text) => recorder.begin(target([text])));
    for (const [index, end] of [...ends.entries()].reverse()) end(replyOf(`${index}`));
    for (let index = 0; index < 10; index++) recorder.begin(target([`step ${index}`]))(replyOf('step'));
    const replay = new CallReplay(async () => ({ calls: recorded() }), history);
    expect(await replay.serve(target(['task']))).toEqual(replyOf('1'));
    expect(await replay.serve(target(['title']))).toEqual(replyOf('0'));
    await expect(replay.serve(target(['step 9']))).rejects.toMatchObject({
      end: {
        because: 'infra',
        code: 'replay_diverged',
        isPermanent: true,
        message:
          'model call 3 differs from the recorded one at messages[0].content: expected "step 0", found "step 9"',
      },
    });
    await expect(replay.serve(target(['step 0']))).rejects.toMatchObject({
      end: { code: 'replay_diverged' },
    });
  });

  test('A part that several requests share is stored once', () => {
    const { history, recorded } = openedHistory();
    const recorder = new CallRecorder({ history });
    const long = 'x'.repeat(10_000);
    for (let index = 0; index < 20; index++) {
      recorder.begin(target([long, ...Array.from({ length: index }, (_, at) => `${at}`)]))(replyOf('ok'));
    }
    const bytes = recorded().map((call) => JSON.stringify(call).length);
    expect(bytes[0]).toBeGreaterThan(10_000);
    expect(Math.max(...bytes.slice(1))).toBeLessThan(500);
  });

  test('A recording that becomes too large is stopped with an event, and its replay ends there', async () => {
    const { history, recorded, types } = openedHistory();
    const recorder = new CallRecorder({ history, bytesMax: 2_000 });
    for (const text of ['one', 'two', 'three']) recorder.begin(target([text]))(replyOf('x'.repeat(900)));
    recorder.close();
    expect(types()).toEqual(['model.call.recorded', 'model.recording.stopped']);
    const replay = new CallReplay(
      async () => ({ calls: recorded(), stopped: 'it exceeds 2000 bytes' }),
      history,
    );
    await replay.serve(target(['one']));
    expect(await replay.endOf(COMPLETED)).toMatchObject({
      code: 'replay_diverged',
      message:
        'the recorded attempt made more than 1 model call, and this attempt ended there; the recording ends because it exceeds 2000 bytes',
    });
    await expect(replay.serve(target(['two']))).rejects.toMatchObject({
      end: { message: 'the recording ends after call 1: it exceeds 2000 bytes' },
    });
  });

  test('A replay that lacks a recorded call is no completed attempt, unless the call had no reply', async () => {
    const { history, recorded } = openedHistory();
    const recorder = new CallRecorder({ history });
    recorder.begin(target(['one']))(replyOf('1'));
    const end = recorder.begin(target(['two']));
    const replayed = async (...texts: string[]) => {
      const replay = new CallReplay(async () => ({ calls: recorded() }), history);
      for (const text of texts) await replay.serve(target([text]));
      return replay;
    };
    expect(await (await replayed()).endOf(COMPLETED)).toMatchObject({
      because: 'infra',
      code: 'replay_diverged',
      message:
        'the recorded attempt made 1 model call, and this attempt ended without any: model call 1 was not made',
    });
    const failed = { because: 'agent_error', code: 'exit_nonzero', message: 'exit code 3' } as const;
    expect(await (await replayed()).endOf(failed)).toMatchObject({
      code: 'replay_diverged',
      message: expect.stringMatching(/model call 1 was not made: exit_nonzero, exit code 3$/),
    });
    end({ kind: 'none' });
    const replay = await replayed('one');
    expect(await replay.endOf(COMPLETED)).toBe(COMPLETED);
    const limit = { because: 'limit', limit: 'time' } as const;
    expect(await (await replayed()).endOf(limit)).toBe(limit);
  });

  test('A secret in a request is redacted, and is no difference from the same redacted request', async () => {
    const { history, recorded } = openedHistory();
    const recorder = new CallRecorder({ history });
    const secret = new Secret('TOOL_KEY', 'tool-secret-8841');
    const end = recorder.begin(target(['The result is tool-secret-8841.']));
    history.secrets.adopt(secret);
    end(replyOf('tool-secret-8841'));
    expect(JSON.stringify(recorded())).not.toContain('tool-secret-8841');
    const other = openedHistory();
    other.history.secrets.adopt(secret);
    const replay = new CallReplay(async () => ({ calls: recorded() }), other.history);
    expect(await replay.serve(target(['The result is tool-secret-8841.']))).toEqual(
      replyOf('[redacted:TOOL_KEY]'),
    );
  });
});

describe('the first difference of two requests', () => {
  const difference = (one: object, other: object) => {
    const [expected, found] = [one, other].map((body) => requestParts({ ...body }, 'chat'));
    const first = firstDifference(expected ?? [], found ?? []);
    return (
      first &&
      divergenceText({ call: 1, ...first }).replace('model call 1 differs from the recorded one ', '')
    );
  };

  test('A difference names the path of a member, and the text around the first different character', () => {
    const text = (word: string) => `${'a long text '.repeat(20)}${word}${' with an end'.repeat(20)}`;
    expect(
      difference({ messages: [{ content: text('cat') }] }, { messages: [{ content: text('cow') }] }),
    ).toBe(
      'at messages[0].content: expected "… long text a long text cat with an end with an end with an end with an end with …", found "… long text a long text cow with an end with an end with an end with an end with …"',
    );
  });

  test('A part that is missing and a part that is new are named', () => {
    const tools = [{ name: 'exec' }];
    expect(difference({ model: 'm', tools }, { model: 'm' })).toBe(
      String.raw`at tools[0]: expected "{\"name\":\"exec\"}", found nothing`,
    );
    expect(difference({ model: 'm' }, { model: 'm', tools })).toBe(
      String.raw`at tools[0]: expected nothing, found "{\"name\":\"exec\"}"`,
    );
    expect(difference({ temperature: 0 }, { temperature: 1 })).toBe(
      'at temperature: expected "0", found "1"',
    );
    expect(difference({ model: 'm' }, { model: 'm' })).toBeUndefined();
  });
});
