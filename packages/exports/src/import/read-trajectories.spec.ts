import { type ZipEntry, zipBytes } from '@agentclash/archives';
import { describe, expect, test } from '@jest/globals';
import { readAtif } from './read-atif.js';
import type { ReadAttempt, ReadDefaults } from './read-attempt.js';
import { readInspect } from './read-inspect.js';

async function atif(text: string, options: ReadDefaults & { isDocument?: boolean } = {}) {
  const content = async function* () {
    yield Buffer.from(text);
  };
  const found: ReadAttempt[] = [];
  for await (const each of readAtif(content(), options)) found.push(each);
  return found;
}

async function zipped(...entries: ZipEntry[]): Promise<Buffer> {
  const source = async function* () {
    yield* entries;
  };
  const parts: Uint8Array[] = [];
  for await (const part of zipBytes(source())) parts.push(part);
  return Buffer.concat(parts);
}

async function attemptsOf(reading: AsyncIterable<ReadAttempt>): Promise<ReadAttempt[]> {
  const found: ReadAttempt[] = [];
  for await (const each of reading) found.push(each);
  return found;
}

const TRAJECTORY = {
  schema_version: 'ATIF-v1.5',
  session_id: 's',
  agent: { name: 'codex', version: '1' },
  steps: [
    { step_id: 1, source: 'user', message: 'Do it.' },
    {
      ...{ step_id: 2, source: 'agent', message: [{ type: 'text', text: 'Done.' }, { type: 'image' }] },
      model_name: 'm',
      tool_calls: [{ tool_call_id: 't', function_name: 'bash', arguments: { command: 'ls' } }],
      observation: { results: [{ source_call_id: 't', content: 'a' }] },
      metrics: { prompt_tokens: 7, completion_tokens: 2 },
    },
  ],
  final_metrics: { total_prompt_tokens: 7, total_completion_tokens: 2, total_cost_usd: 0.5 },
  extra: { task_name: 'sort' },
};

describe('a trajectory of another tool', () => {
  test('a trajectory is an attempt of the task that it names, to be graded by its evidence', async () => {
    const [found] = await atif(JSON.stringify(TRAJECTORY, null, 2), { isDocument: true });
    expect(found).toMatchObject({
      location: 'document',
      attempt: {
        ...{ lane: 'codex', case_key: 'sort', outcome: 'completed', final_output: 'Done.', cost_usd: 0.5 },
        usage: { input: 7, output: 2, total: 9 },
        steps: [{ text: 'Done.', model: 'm', tool_calls: [{ name: 'bash', result: 'a' }] }],
      },
    });
    expect(found).not.toHaveProperty('attempt.scores');
  });

  test('the case and the lane may be named for all', async () => {
    const text = JSON.stringify({ ...TRAJECTORY, extra: null });
    const [found] = await atif(text, { lane: 'ours', caseKey: 'k' });
    expect(found).toMatchObject({ attempt: { lane: 'ours', case_key: 'k' } });
  });

  test.each([
    ['no version', { schema_version: undefined }, 'schema_version'],
    ['another major version', { schema_version: 'ATIF-v2.0' }, 'schema_version'],
    ['no agent', { agent: {} }, 'agent.name'],
    ['no steps', { steps: [] }, 'steps'],
    [
      'a step of an unknown source',
      { steps: [{ step_id: 1, source: 'tool', message: '' }] },
      'steps.0.source',
    ],
    ['no case', { extra: {} }, 'extra.case_key'],
    ['a negative cost', { final_metrics: { total_cost_usd: -1 } }, 'final_metrics.total_cost_usd'],
  ])('a trajectory with %s is a problem with its location', async (_what, values, field) => {
    expect(await atif(JSON.stringify({ ...TRAJECTORY, ...values }))).toEqual([
      {
        location: 'line 1',
        problems: expect.arrayContaining([
          { location: 'line 1', field, message: expect.stringMatching(/\w/) },
        ]),
      },
    ]);
  });
});

const HEADER: ZipEntry = {
  name: 'header.json',
  content: JSON.stringify({ version: 2, eval: { model: 'openai/m', task: 'sums' } }),
};
const SAMPLE = {
  ...{ id: 7, epoch: 2, input: 'Add.', target: '4', metadata: {}, total_time: 1.5 },
  messages: [
    { role: 'user', content: 'Add.' },
    { role: 'assistant', content: 'Wait.', tool_calls: [{ id: 't', function: 'add', arguments: {} }] },
    { role: 'tool', content: '4', tool_call_id: 't', error: { type: 'timeout', message: 'late' } },
    { role: 'assistant', content: [{ type: 'text', text: '4' }], model: 'm' },
  ],
  output: { choices: [{ message: { role: 'assistant', content: '4' }, stop_reason: 'stop' }] },
  scores: { match: { value: 'C' } },
  model_usage: { m: { input_tokens: 5, output_tokens: 2, total_tokens: 7 } },
};
const sample = (values: object = {}): ZipEntry => ({
  name: 'samples/7_epoch_2.json',
  content: JSON.stringify({ ...SAMPLE, ...values }),
});

describe('a log of Inspect of another tool', () => {
  test('a sample is an attempt of its id and epoch, to be graded by its evidence', async () => {
    const [found] = await attemptsOf(readInspect(await zipped(HEADER, sample())));
    expect(found).toMatchObject({
      attempt: {
        ...{ lane: 'openai/m', case_key: '7', repetition: 2, outcome: 'completed', final_output: '4' },
        ...{ latency_ms: 1_500, usage: { input: 5, output: 2, total: 7 } },
        steps: [{ tool_calls: [{ name: 'add', result: '4', failed: true }] }, { text: '4', model: 'm' }],
      },
    });
    expect(found).not.toHaveProperty('attempt.scores');
  });

  test.each([
    ['an error', { error: { message: 'x' } }, { outcome: 'infra_error', error_code: 'sample_error' }],
    ['a limit', { limit: { type: 'token', limit: 5 } }, { outcome: 'limit_reached', limit_kind: 'tokens' }],
  ])('a sample with %s is an attempt that ended so', async (_what, values, end) => {
    expect(await attemptsOf(readInspect(await zipped(HEADER, sample(values))))).toMatchObject([
      { attempt: end },
    ]);
  });

  test.each([
    ['a message of an unknown role', sample({ messages: [{ role: 'x' }] }), 'messages.0.role'],
    ['no messages', sample({ messages: undefined }), 'messages'],
    ['an epoch of 0', sample({ epoch: 0 }), 'epoch'],
    ['no JSON', { name: 'samples/1_epoch_1.json', content: '{' }, ''],
    ['no content', { name: 'samples/1_epoch_1.json', content: '' }, ''],
  ])('a sample with %s is a problem with its entry, and the next is read', async (_what, entry, field) => {
    const found = await attemptsOf(
      readInspect(await zipped(HEADER, entry, { ...sample(), name: 'samples/z.json' })),
    );
    expect(found).toMatchObject([
      { location: entry.name, problems: expect.arrayContaining([expect.objectContaining({ field })]) },
      { attempt: { case_key: '7' } },
    ]);
  });

  test.each<[what: string, bytes: () => Promise<Uint8Array>]>([
    ['no archive', async () => Buffer.from('hello')],
    ['an empty file', async () => new Uint8Array()],
    ['an archive without a header', () => zipped(sample())],
    ['a header that is none', () => zipped({ name: 'header.json', content: '{}' }, sample())],
    [
      'a header that unpacks to more than its bound',
      () => zipped({ name: 'header.json', content: '0'.repeat(16_777_217) }),
    ],
    ['an archive that is cut off', async () => (await zipped(HEADER, sample())).subarray(200)],
  ])('%s is a problem', async (_what, bytes) => {
    expect(await attemptsOf(readInspect(await bytes()))).toEqual([
      expect.objectContaining({
        problems: [expect.objectContaining({ message: expect.stringMatching(/\w/) })],
      }),
    ]);
  });
});
