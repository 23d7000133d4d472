import { DEFAULT_LIMITS, type PlannedAgent } from '@agentclash/attempt-plan';
import type { AttemptEvent, AttemptLimits, ModelCallMode, RecordedReply } from '@agentclash/domain';
import { createEgress, DEFAULT_EGRESS_SETTINGS } from '@agentclash/egress';
import { openModel } from '@agentclash/models';
import { Secret } from '@agentclash/redaction';
import { type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunAttemptOptions } from '../attempt/run-attempt.js';
import { type Attempt, AttemptHarness, EventLog } from '../testing/attempt-harness.js';
import { FakeModel, type FakeReply, modelConfig } from '../testing/fake-model.js';
import { attemptPlan } from '../testing/plans.js';
import type { ReplyCache } from './call-cache.js';
import type { Recording } from './replay.js';

const KEY = 'sk-recorded-5d1c7e90';

const harness = new AttemptHarness();
let provider: ScriptedModel;
beforeAll(() => harness.open());
afterAll(() => harness.close());
beforeEach(async () => {
  provider = await scriptedModel(() => ({ text: 'It is 5.' }));
});
afterEach(async () => await provider.close());

/** The recording of an attempt, as its events hold it. */
function recordingOf({ events }: Attempt): () => Promise<Recording> {
  const [stopped] = events.payloads('model.recording.stopped');
  const calls = JSON.parse(JSON.stringify(events.payloads('model.call.recorded')));
  return async () => ({ calls, ...(stopped && { stopped: stopped.reason }) });
}

/** The replies of an attempt without what differs between a live call and a served one. */
function repliesOf({ events }: Attempt): object[] {
  return events
    .payloads('model.call.completed')
    .map(({ text, tool_calls, usage, finish_reason }) => ({ text, tool_calls, usage, finish_reason }));
}

/** A coding agent: a call, a call with its own random ids, and a stream of which the end is its output. */
const PROGRAM = `
import json, os, time, urllib.error, urllib.request, uuid
def call(messages, path='/chat/completions', **more):
    body = {'model': 'gpt-unknown', 'messages': messages, 'user': str(uuid.uuid4()), **more}
    request = urllib.request.Request(os.environ['OPENAI_BASE_URL'] + path, json.dumps(body).encode(), {
        'content-type': 'application/json', 'authorization': 'Bearer ' + os.environ['OPENAI_API_KEY']})
    return urllib.request.urlopen(request).read().decode()
history = [{'role': 'user', 'content': os.environ.get('PROMPT', 'Add 2 and 3.')}]
first = call(history, stream=True)
history += [{'role': 'assistant', 'content': first},
            {'role': 'user', 'content': 'fixed' if 'FIXED' in os.environ else
             'session %s, %.3f s, %s' % (uuid.uuid4(), time.time() % 60, os.environ.get('NEXT', ''))}]
try:
    second = call(history, stream=True, tools=[{'type': 'function', 'function': {'name': 'exec', 'parameters': {}}}])
except urllib.error.HTTPError as error:
    second = str(error.code)
for more in range(int(os.environ.get('MORE', '0'))):
    try:
        call(history + [{'role': 'user', 'content': 'more'}], stream=True)
    except Exception:
        time.sleep(60)
print(first + '|' + second)
`;

interface ProgramRun {
  env?: Record<string, string>;
  mode: Exclude<ModelCallMode, 'live'>;
  limits?: Partial<AttemptLimits>;
  readRecording?: RunAttemptOptions['readRecording'];
  cache?: MemoryCache;
  repetition?: number;
  baseUrl?: string;
}

const PRICES = {
  models: [
    {
      provider_key: 'openai_compatible',
      provider_model_id: 'real-1',
      input_cost_per_million_tokens: 1_000,
      output_cost_per_million_tokens: 1_000,
    },
  ],
};

/** The replies of a workspace, in memory. */
class MemoryCache {
  readonly replies = new Map<string, RecordedReply>();

  /** For the attempt whose events these are. */
  of(emitted: readonly AttemptEvent[]): ReplyCache {
    return {
      find: async (key) => this.replies.get(key),
      keep: (key, sequenceNumber) => {
        const payload = emitted.find(({ sequence_number }) => sequence_number === sequenceNumber)?.payload;
        if (payload && 'reply' in payload) this.replies.set(key, payload.reply);
      },
    };
  }
}

async function runProgram(run: ProgramRun): Promise<Attempt> {
  const { env = {}, mode, limits = {}, readRecording, cache, repetition = 1, baseUrl } = run;
  const main = {
    alias: 'fast',
    provider_account_id: 'a',
    provider_key: 'openai_compatible',
    model: 'real-1',
    ...(baseUrl !== undefined && { base_url: baseUrl }),
  };
  const agent: PlannedAgent = {
    kind: 'program',
    config: {
      command: ['python3', '/agent/main.py'],
      env,
      models: { main },
      files: [{ path: 'main.py', artifact: harness.store.add(PROGRAM) }],
    },
  };
  const plan = attemptPlan(agent, {
    model_calls: mode,
    repetition,
    limits: { ...DEFAULT_LIMITS, run_timeout_seconds: 30, ...limits },
  });
  const { history, emitted } = harness.record(plan);
  const egress = createEgress({ settings: { ...DEFAULT_EGRESS_SETTINGS, operatorUnlock: ['127.0.0.0/8'] } });
  const attempt = await harness.run(plan, {
    history,
    ...(readRecording && { readRecording }),
    ...(cache && { replyCache: cache.of(emitted) }),
    openProgramModel: ({ model, provider_key: providerKey }) =>
      openModel(
        {
          id: 'a',
          providerKey,
          baseUrl: provider.url,
          pricing: PRICES,
          openCredential: async () => {
            const secret = new Secret('MODEL_KEY', KEY);
            history.secrets.adopt(secret);
            return secret;
          },
        },
        {
          model,
          runId: plan.run_id,
          egress,
          slots: { acquire: async () => ({ release: () => {} }) },
          stepTimeoutMs: 20_000,
          clock: { now: () => Date.now(), monotonic: () => performance.now(), sleep: async () => {} },
        },
      ),
  });
  return { ...attempt, events: new EventLog(emitted) };
}

const outputOf = ({ events }: Attempt) => events.payloads('system.output.finalized')[0]?.final_output;

describe('a program with recorded model calls', () => {
  test('A recorded attempt of a program is replayed byte for byte without a request to the provider', async () => {
    const source = await runProgram({ mode: 'record' });
    expect(source.result).toMatchObject({ outcome: 'completed', model_call_count: 2, tool_call_count: 0 });
    expect(source.events.payloads('system.run.completed')).toMatchObject([{ model_call_count: 2 }]);
    expect(source.events.payloads('model.call.recorded')).toMatchObject([{ call: 1 }, { call: 2 }]);
    expect(provider.requests).toHaveLength(2);
    const replayed = await runProgram({ mode: 'replay', readRecording: recordingOf(source) });
    expect(replayed.result).toMatchObject({ outcome: 'completed', served_calls: 2, cost_usd: 0 });
    expect(provider.requests).toHaveLength(2);
    expect(outputOf(replayed)).toBe(outputOf(source));
    expect(replayed.result.usage).toEqual(source.result.usage);
    expect(source.result.cost_usd).toBeGreaterThan(0);
    expect(repliesOf(replayed)).toEqual(repliesOf(source));
    expect(replayed.events.payloads('model.call.completed')).toMatchObject([
      { served_from: 'replay', cost_usd: 0 },
      { served_from: 'replay', cost_usd: 0 },
    ]);
  });

  test('A replay whose request differs ends without a score, and names the first difference', async () => {
    const source = await runProgram({ mode: 'record', env: { NEXT: 'Explain it.' } });
    const replayed = await runProgram({
      mode: 'replay',
      env: { NEXT: 'Explain them.' },
      readRecording: recordingOf(source),
    });
    expect(replayed.result).toMatchObject({
      outcome: 'infra_error',
      snapshot: null,
      served_calls: 1,
      error: {
        code: 'replay_diverged',
        retryable: false,
        message: expect.stringMatching(
          /^model call 2 differs from the recorded one at messages\[2\]\.content: expected ".*Explain it\.", found ".*Explain them\."$/,
        ),
      },
    });
    expect(provider.requests).toHaveLength(2);
  });

  test('A replay that makes more calls than the recorded attempt ends without a score', async () => {
    const source = await runProgram({ mode: 'record' });
    const replayed = await runProgram({
      mode: 'replay',
      env: { MORE: '1' },
      readRecording: recordingOf(source),
    });
    expect(replayed.result).toMatchObject({ outcome: 'infra_error', error: { code: 'replay_diverged' } });
    expect(replayed.result.error?.message).toBe(
      'the recorded attempt made 2 model calls, and this attempt makes a further one',
    );
  });

  test('A replay that makes fewer calls than the recorded attempt ends without a score, and keeps its output', async () => {
    const source = await runProgram({ mode: 'record', env: { MORE: '1' } });
    const replayed = await runProgram({ mode: 'replay', readRecording: recordingOf(source) });
    expect(replayed.result).toMatchObject({
      ...{ outcome: 'infra_error', snapshot: null, served_calls: 2 },
      error: {
        code: 'replay_diverged',
        retryable: false,
        message:
          'the recorded attempt made 3 model calls, and this attempt ended after 2 of them: model call 3 was not made',
      },
    });
    expect(outputOf(replayed)).toContain('It is 5.');
  });

  test('Failures of the provider and cut streams are replayed as they were', async () => {
    const bad = { status: 400, error: { message: `bad request with ${KEY}` } };
    provider.follow(() => (provider.requests.length === 1 ? { text: 'It is 5.' } : bad));
    const failed = await runProgram({ mode: 'record' });
    expect(outputOf(failed)).toContain('400');
    const replayed = await runProgram({ mode: 'replay', readRecording: recordingOf(failed) });
    expect(outputOf(replayed)).toBe(outputOf(failed));
    provider.follow(() => ({ status: 401, error: { message: 'no' } }));
    const refused = await runProgram({ mode: 'record' });
    expect(refused.result).toMatchObject({ outcome: 'provider_error', error: { code: 'auth' } });
    const again = await runProgram({ mode: 'replay', readRecording: recordingOf(refused) });
    expect(again.result).toMatchObject({ outcome: 'provider_error', error: { code: 'auth' } });
    provider.follow(() => ({ text: 'It is 5.', fragment: 2, dripMs: 30, ending: 'cut' }));
    const cut = await runProgram({ mode: 'record' });
    const cutAgain = await runProgram({ mode: 'replay', readRecording: recordingOf(cut) });
    expect(cut.events.payloads('model.call.recorded')).toMatchObject([{ reply: { is_cut: true } }]);
    expect(cutAgain.result.outcome).toBe(cut.result.outcome);
    expect(cutAgain.result.error).toEqual(cut.result.error);
  });

  test('A refused request is replayed with the call by which the broker distinguishes it from a refused account', async () => {
    provider.follow(() => ({ status: 400, error: { message: 'bad request' } }));
    const source = await runProgram({ mode: 'record' });
    const [request, control] = source.events.payloads('model.call.recorded');
    expect(request).toMatchObject({ reply: { kind: 'failed', status: 400 } });
    expect(JSON.stringify(control?.request.texts)).toContain('Reply with OK.');
    expect(provider.requests).toHaveLength(2);
    const replayed = await runProgram({ mode: 'replay', readRecording: recordingOf(source) });
    expect(replayed.result).toMatchObject({ outcome: source.result.outcome, served_calls: 2 });
    expect(replayed.result.error).toEqual(source.result.error);
    expect(provider.requests).toHaveLength(2);
  });

  test('A replay ends at the limits of the recorded attempt, though it costs nothing', async () => {
    const limits = { max_cost_usd: 8 };
    provider.follow(() => ({ text: 'It is 5.', usage: { input: 1_000, output: 1_000 } }));
    const source = await runProgram({ mode: 'record', env: { MORE: '5' }, limits });
    expect(source.result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'cost' });
    const replayed = await runProgram({
      mode: 'replay',
      env: { MORE: '5' },
      limits,
      readRecording: recordingOf(source),
    });
    expect(replayed.result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'cost', cost_usd: 0 });
  });

  test('A call without a reply stays without one in the replay', async () => {
    provider.follow(() => ({ silent: true }));
    const limits = { run_timeout_seconds: 2 };
    const source = await runProgram({ mode: 'record', limits });
    expect(source.events.payloads('model.call.recorded')).toMatchObject([{ reply: { kind: 'none' } }]);
    const replayed = await runProgram({ mode: 'replay', limits, readRecording: recordingOf(source) });
    for (const { result } of [source, replayed]) {
      expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'time' });
    }
  });

  test('No recorded call holds a secret, also when the provider repeats its key in pieces', async () => {
    provider.follow(() => ({ text: `The key is ${KEY}.`, fragment: 1_000 }));
    const whole = await runProgram({ mode: 'record', env: { NEXT: KEY } });
    expect(whole.events.payloads('model.call.recorded')).toHaveLength(2);
    provider.follow(() => ({ text: `The key is ${KEY}.`, fragment: 3 }));
    const split = await runProgram({ mode: 'record' });
    expect(split.events.payloads('model.recording.stopped')).toEqual([{ reason: 'secret' }]);
    for (const { events } of [whole, split]) {
      expect(JSON.stringify(events.payloads('model.call.recorded'))).not.toContain(KEY);
      const stored = events.payloads('model.call.recorded').map(({ reply }) => reply);
      const texts = JSON.stringify(stored).matchAll(/"content\\":\\"((?:[^\\"]|\\\\.)*)/g);
      expect([...texts].map(([, text]) => text).join('')).not.toContain(KEY);
    }
    const replayed = await runProgram({ mode: 'replay', readRecording: recordingOf(split) });
    expect(replayed.result).toMatchObject({ outcome: 'infra_error', error: { code: 'replay_diverged' } });
  });
});

describe('a program with cached replies', () => {
  const repeated = { env: { MORE: '2', FIXED: '1' }, mode: 'cache' } as const;

  test('The same requests of a second attempt are served from the cache, without a call and without cost', async () => {
    const cache = new MemoryCache();
    const first = await runProgram({ ...repeated, cache });
    expect(first.result).toMatchObject({ outcome: 'completed' });
    expect(first.result.served_calls).toBeUndefined();
    expect(provider.requests).toHaveLength(4);
    const second = await runProgram({ ...repeated, cache });
    expect(second.result).toMatchObject({ outcome: 'completed', served_calls: 4, cost_usd: 0 });
    expect(provider.requests).toHaveLength(4);
    expect(outputOf(second)).toBe(outputOf(first));
    expect(second.events.payloads('model.call.completed')).toMatchObject(
      Array.from({ length: 4 }, () => ({ served_from: 'cache', cost_usd: 0 })),
    );
    expect(second.events.payloads('model.call.recorded')).toEqual([]);
  });

  test('Another repetition, another request, another text of a date and another server have no cached reply', async () => {
    const cache = new MemoryCache();
    await runProgram({ ...repeated, cache });
    const others: Partial<ProgramRun>[] = [
      { repetition: 2 },
      { env: { ...repeated.env, PROMPT: 'Add 2 and 4.' } },
      { env: { ...repeated.env, PROMPT: 'On 2026-11-23 or 10 s later?' } },
      { env: { ...repeated.env, PROMPT: 'On 2026-11-24 or 20 s later?' } },
      { baseUrl: 'http://127.0.0.1:1/v1' },
    ];
    for (const other of others) {
      const before = provider.requests.length;
      const { result } = await runProgram({ ...repeated, cache, ...other });
      expect(result).toMatchObject({ outcome: 'completed' });
      expect(result.served_calls).toBeUndefined();
      expect(provider.requests).toHaveLength(before + 4);
    }
  });

  test('Failures and cut streams are not cached', async () => {
    const cache = new MemoryCache();
    provider.follow(() => ({ text: 'It is 5.', fragment: 2, dripMs: 30, ending: 'cut' }));
    await runProgram({ mode: 'cache', cache });
    provider.follow(() => ({ status: 400, error: { message: 'bad' } }));
    await runProgram({ mode: 'cache', cache });
    provider.follow(() => ({ text: 'It is', ending: { error: { message: 'overloaded' } } }));
    await runProgram({ mode: 'cache', cache });
    expect(cache.replies.size).toBe(0);
  });
});

describe('a model with recorded calls', () => {
  const work: FakeReply[] = [
    { calls: [{ name: 'list_files', args: {} }] },
    { calls: [{ name: 'read_file', args: { path: 'note.txt' } }] },
    { text: 'It is 5.' },
  ];

  async function runModel(
    mode: Exclude<ModelCallMode, 'live'>,
    content: string,
    readRecording?: RunAttemptOptions['readRecording'],
  ) {
    const model = new FakeModel(work, 'agent', 1);
    const plan = attemptPlan(
      { kind: 'model', config: modelConfig('agent') },
      { model_calls: mode, files: [{ path: 'note.txt', content }] },
    );
    const attempt = await harness.run(plan, {
      openModel: () => model,
      ...(readRecording && { readRecording }),
    });
    return { ...attempt, requests: model.requests.length };
  }

  test('A recorded attempt of a model is replayed without a call, with the same tool calls and no cost', async () => {
    const source = await runModel('record', 'seven');
    expect(source.result).toMatchObject({ outcome: 'completed', cost_usd: 4 });
    const replayed = await runModel('replay', 'seven', recordingOf(source));
    expect(replayed.requests).toBe(0);
    expect(replayed.result).toMatchObject({ outcome: 'completed', served_calls: 4, cost_usd: 0 });
    expect(replayed.result.usage).toEqual(source.result.usage);
    expect(replayed.events.types().filter((type) => type !== 'model.output.delta')).toEqual(
      source.events.types().filter((type) => type !== 'model.output.delta' && type !== 'model.call.recorded'),
    );
  });

  test('A replay in another workspace of files ends at the first request that differs', async () => {
    const source = await runModel('record', 'seven');
    const replayed = await runModel('replay', 'eight', recordingOf(source));
    expect(replayed.result).toMatchObject({ outcome: 'infra_error', served_calls: 2 });
    expect(replayed.result.error?.message).toMatch(
      /^model call 3 differs from the recorded one at messages\[5\]\..*expected ".*seven.*", found ".*eight.*"$/,
    );
  });
});
