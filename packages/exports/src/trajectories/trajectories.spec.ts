import { openZip, zipBytes } from '@agentclash/archives';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readAtif } from '../import/read-atif.js';
import type { ReadAttempt } from '../import/read-attempt.js';
import { readInspect } from '../import/read-inspect.js';
import { resultRecord } from '../results/record.js';
import { ATIF_SCHEMA } from '../testing/atif-schema.js';
import { EVENTS, eventsOf } from '../testing/events.js';
import { INSPECT_SCHEMAS } from '../testing/inspect-schema.js';
import { exportedAttempt, RUN } from '../testing/records.js';
import { atifTrajectory, type ExportedTrajectory } from './atif.js';
import { inspectEntries } from './inspect.js';
import { otelTrace } from './otel.js';
import { transcriptOf } from './transcript.js';

const ajv = new Ajv2020({ strict: false });

/** The violations of a document. */
function violations(schema: object, document: unknown): unknown[] {
  const validate = ajv.compile(schema);
  validate(document);
  return validate.errors ?? [];
}

const FULL: ExportedTrajectory = {
  record: resultRecord(RUN, exportedAttempt()),
  transcript: transcriptOf(EVENTS),
};
const EMPTY: ExportedTrajectory = {
  record: resultRecord(RUN, {
    ...exportedAttempt({
      ...{ case_key: 'lost/one', outcome: 'infra_error', overall: null, passed: null, usage: undefined },
      error: { code: 'sandbox_lost', message: 'gone', retryable: true },
    }),
    scorecard: { revision: null, evaluation_spec_id: null, scorecard: null },
  }),
  transcript: transcriptOf([]),
};

const LOG = {
  ...{ run_id: FULL.record.run_id, lane: 'lane 6', pack: 'sums', version_number: 2 },
  ...{ version_digest: 'sha256:00', input_set: 'default', repetitions: 1, status: 'success' as const },
  ...{ created_at: '2026-03-01T12:00:00.000Z', started_at: null, finished_at: null },
};

async function archive(...trajectories: ExportedTrajectory[]): Promise<Buffer> {
  const source = async function* () {
    yield* trajectories;
  };
  const parts: Uint8Array[] = [];
  for await (const part of zipBytes(inspectEntries(LOG, source()))) parts.push(part);
  return Buffer.concat(parts);
}

async function readLines(...documents: unknown[]): Promise<ReadAttempt[]> {
  const content = async function* () {
    yield Buffer.from(documents.map((each) => JSON.stringify(each)).join('\n'));
  };
  return attemptsOf(readAtif(content()));
}

async function attemptsOf(reading: AsyncIterable<ReadAttempt>): Promise<ReadAttempt[]> {
  const found: ReadAttempt[] = [];
  for await (const each of reading) found.push(each);
  return found;
}

describe('a transcript', () => {
  test('a transcript joins prompts, replies of models and calls of tools with their results', () => {
    expect(FULL.transcript).toMatchObject({
      final_output: '4',
      entries: [
        { role: 'system', text: 'Be brief.' },
        { role: 'user', text: 'Add 2 and 2.' },
        {
          text: 'I calculate.',
          call: { model: 'm', input_tokens: 10, cached_tokens: 4, cost_usd: 0.25 },
          tool_calls: [
            { id: 't1', name: 'add', arguments: { a: 2, b: 2 }, result: '4', failed: false },
            { id: 't2', result: '{"code":"by_zero","message":"No."}', failed: true },
          ],
        },
        { text: '4', tool_calls: [] },
      ],
    });
  });

  test('a conversation without observed models has its turns, and calls of tools without a reply one of their own', () => {
    const { entries } = transcriptOf(
      eventsOf(
        ['turn.user.message', { message: 'hello' }],
        ['tool.call.completed', { tool_call_id: 't', tool_name: 'look', arguments: {}, result: 'seen' }],
        ['turn.assistant.message', { message: 'hi' }],
      ),
    );
    expect(entries).toMatchObject([
      { kind: 'prompt', text: 'hello' },
      { kind: 'reply', text: '', tool_calls: [{ name: 'look', result: 'seen' }] },
      { kind: 'reply', text: 'hi' },
    ]);
  });
});

describe('a trajectory in ATIF', () => {
  test.each([
    ['with calls of models and tools', FULL],
    ['without any event', EMPTY],
  ])('a trajectory %s has the published fields alone, and steps numbered from 1', (_what, trajectory) => {
    const document = JSON.parse(JSON.stringify(atifTrajectory(trajectory)));
    expect(violations(ATIF_SCHEMA, document)).toEqual([]);
    expect(document.steps.map(({ step_id }: { step_id: number }) => step_id)).toEqual(
      document.steps.map((_step: unknown, index: number) => index + 1),
    );
  });

  test('every result of a tool names a call of its own step', () => {
    const { steps } = JSON.parse(JSON.stringify(atifTrajectory(FULL)));
    expect(steps[2]).toMatchObject({
      source: 'agent',
      tool_calls: [{ tool_call_id: 't1', function_name: 'add' }, { tool_call_id: 't2' }],
      observation: { results: [{ source_call_id: 't1', content: '4' }, { source_call_id: 't2' }] },
      metrics: { prompt_tokens: 10, completion_tokens: 5, cached_tokens: 4, cost_usd: 0.25 },
    });
    expect(steps[3].metrics).not.toHaveProperty('cost_usd');
  });

  test.each([
    ['an unknown member', (document: Record<string, unknown>) => ({ ...document, surprise: 1 })],
    ['no steps', (document: Record<string, unknown>) => ({ ...document, steps: [] })],
    ['another version', (document: Record<string, unknown>) => ({ ...document, schema_version: 'ATIF-v2' })],
  ])('the schema refuses a trajectory with %s', (_what, change) => {
    expect(violations(ATIF_SCHEMA, change(atifTrajectory(FULL)))).not.toEqual([]);
  });
});

describe('a log of Inspect', () => {
  test('an archive has the documented entries, each of the documented structure', async () => {
    const zip = await openZip(await archive(FULL, EMPTY));
    const json = async (name: string) => JSON.parse(Buffer.from(await zip.read(name)).toString());
    expect(zip.names).toEqual([
      '_journal/start.json',
      'samples/small_epoch_1.json',
      'samples/lost/one_epoch_1.json',
      '_journal/summaries/1.json',
      'summaries.json',
      'header.json',
    ]);
    expect(violations(INSPECT_SCHEMAS.start, await json('_journal/start.json'))).toEqual([]);
    expect(violations(INSPECT_SCHEMAS.header, await json('header.json'))).toEqual([]);
    expect(violations(INSPECT_SCHEMAS.summaries, await json('summaries.json'))).toEqual([]);
    for (const name of ['samples/small_epoch_1.json', 'samples/lost/one_epoch_1.json']) {
      expect(violations(INSPECT_SCHEMAS.sample, await json(name))).toEqual([]);
    }
    expect((await json('header.json')).results).toMatchObject({
      ...{ total_samples: 2, completed_samples: 1 },
      scores: [
        { name: 'overall', metrics: { mean: { value: 0.75 } }, scored_samples: 1, unscored_samples: 1 },
        { name: 'correctness' },
        { name: 'speed' },
        { name: 'validator.exact' },
      ],
    });
    expect(await json('samples/small_epoch_1.json')).toMatchObject({
      ...{ id: 'small', epoch: 1, target: '', input: 'Be brief.\n\nAdd 2 and 2.' },
      messages: [
        { role: 'system' },
        { role: 'user' },
        { role: 'assistant' },
        { role: 'tool' },
        { role: 'tool' },
        {},
      ],
      output: { completion: '4' },
      scores: { overall: { value: 0.75, explanation: 'threshold_met' } },
    });
  });
});

describe('a trace of OpenTelemetry', () => {
  test('a trace has a span of the agent with its evaluations, and spans of calls below it', () => {
    const { resourceSpans } = otelTrace(FULL) as {
      resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[];
    };
    const [root, ...calls] = resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    expect(calls.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual(
      ['chat m', 'execute_tool add', 'execute_tool divide', 'chat m'].map((name) => [name, root?.spanId]),
    );
    expect(root).toMatchObject({
      name: 'invoke_agent lane 6',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      startTimeUnixNano: '1772366400000000000',
      attributes: expect.arrayContaining([
        { key: 'gen_ai.operation.name', value: { stringValue: 'invoke_agent' } },
        { key: 'gen_ai.usage.input_tokens', value: { intValue: '3000000000' } },
      ]),
    });
    expect(root?.events).toEqual(
      ['overall', 'dimension.correctness', 'dimension.speed', 'validator.exact', 'judge.tone'].map((name) =>
        expect.objectContaining({
          name: 'gen_ai.evaluation.result',
          attributes: expect.arrayContaining([
            { key: 'gen_ai.evaluation.name', value: { stringValue: name } },
          ]),
        }),
      ),
    );
    expect(root?.events).toContainEqual(
      expect.objectContaining({
        attributes: [
          { key: 'gen_ai.evaluation.name', value: { stringValue: 'validator.exact' } },
          { key: 'gen_ai.evaluation.score.value', value: { doubleValue: 0 } },
          { key: 'gen_ai.evaluation.score.label', value: { stringValue: 'fail' } },
          { key: 'gen_ai.evaluation.explanation', value: { stringValue: 'mismatch' } },
        ],
      }),
    );
    expect(calls[2]).toMatchObject({ status: { code: 2 } });
    const ids = [root, ...calls].map((span) => span?.spanId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('texts of prompts, replies and tools are in no trace', () => {
    const text = JSON.stringify(otelTrace(FULL));
    for (const secret of ['Add 2 and 2', 'I calculate', 'by_zero']) expect(text).not.toContain(secret);
  });
});

describe('an exported trajectory that is imported', () => {
  const expected = {
    attempt: {
      ...{ lane: 'lane 6', case_key: 'small', repetition: 1, outcome: 'completed', final_output: '4' },
      steps: [
        { text: 'I calculate.', model: 'm', tool_calls: [{ id: 't1', result: '4' }, { id: 't2' }] },
        { text: '4', tool_calls: [] },
      ],
      scores: { dimensions: { correctness: { score: 0.5 } }, validators: { exact: { verdict: 'fail' } } },
    },
    source: { pack: 'sums', version_digest: 'sha256:00' },
  };

  test('a trajectory in ATIF is the same attempt with its scores', async () => {
    const [found, lost] = await readLines(atifTrajectory(FULL), atifTrajectory(EMPTY));
    expect(found).toMatchObject(expected);
    expect(lost).toMatchObject({ attempt: { case_key: 'lost/one', outcome: 'infra_error', steps: [] } });
  });

  test('a log of Inspect has the same attempts with their scores', async () => {
    const [found, lost] = await attemptsOf(readInspect(await archive(FULL, EMPTY)));
    expect(found).toMatchObject(expected);
    expect(lost).toMatchObject({ attempt: { case_key: 'lost/one', error_code: 'sandbox_lost' } });
  });
});
