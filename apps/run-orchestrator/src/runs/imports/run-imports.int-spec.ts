import { type In, type Run, runImports, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const SHA256 = 'a'.repeat(64);

type BeginRequest = In<typeof runImports.begin>['request'];
type Attempts = In<typeof runImports.add>['request']['attempts'];

const STEP = { text: '', model: null, usage: null, cost_usd: null, tool_calls: [] };
const CALL = { id: 't', name: 'look', arguments: {}, result: null, failed: false };
const NO_SCORE = { state: 'error' as const, score: null, raw: null };
const NO_SCORES = { dimensions: {}, validators: {}, judges: {}, metrics: {} };

let pack: ReturnType<typeof publish>;
let workspace_id: string;
beforeEach(() => {
  workspace_id = newId();
  pack = publish(wordPack(3, { slug: `words-${workspace_id.slice(-6)}` }));
  fixture.fakes.add(pack);
});

function begin(request: Partial<BeginRequest> = {}): Promise<Run> {
  return fixture.bus.call(runImports.begin, {
    workspace_id,
    actor: 'tests',
    request: {
      challenge_pack_version_id: pack.version.id,
      lanes: [{ name: 'ours' }, { name: 'theirs' }],
      repetitions: 1,
      source: { format: 'jsonl', sha256: SHA256 },
      grading: 'recorded',
      ...request,
    },
  });
}

const attempt = (values: Partial<Attempts[number]> = {}): Attempts[number] => ({
  ...{ lane: 'ours', case_key: 'case-1', repetition: 1, outcome: 'completed', limit_kind: null },
  ...{ error_code: null, final_output: 'w1', steps: [], usage: null, cost_usd: null },
  ...{ cost_at_least_usd: null, model_calls: null, tool_calls: null, latency_ms: null },
  ...values,
});

function add({ id: run_id }: Run, attempts: Attempts) {
  return fixture.bus.call(runImports.add, { workspace_id, run_id, actor: 'tests', request: { attempts } });
}

const complete = ({ id: run_id }: Run) =>
  fixture.bus.call(runImports.complete, { workspace_id, run_id, actor: 'tests' });

async function payloadsOf({ id: run_id }: Run) {
  const of = { workspace_id, run_id, after: 0, limit: 100 };
  const { items } = await fixture.bus.call(runs.events, of);
  return Object.fromEntries(items.map(({ event_type, payload }) => [event_type, payload]));
}

const attemptsOf = async ({ id: run_id }: Run) =>
  (await fixture.bus.call(runs.attempts, { workspace_id, run_id, limit: 200 })).items;

describe('an imported run', () => {
  test('an import has its lanes and cases, is marked, and no attempt of it is dispatched', async () => {
    const run = await begin({ case_keys: ['case-2', 'case-1'], name: 'elsewhere' });
    expect(run).toMatchObject({
      ...{ status: 'queued', name: 'elsewhere' },
      imported: { format: 'jsonl', sha256: SHA256, grading: 'recorded' },
      progress: { total: 4, queued: 4 },
      case_subset: { case_keys: ['case-1', 'case-2'], of: 3 },
    });
    const { items } = await fixture.bus.call(runs.agents, { workspace_id, run_id: run.id });
    expect(items.map(({ name, kind }) => [name, kind])).toEqual([
      ['ours', 'imported'],
      ['theirs', 'imported'],
    ]);
    expect(fixture.fakes.jobs.filter(({ run_id }) => run_id === run.id)).toEqual([]);
  });

  test('the same source for the same cases is the same run, and another grading another one', async () => {
    const [first, again, graded] = [await begin(), await begin(), await begin({ grading: 'pack' })];
    expect(again.id).toBe(first.id);
    expect(graded.id).not.toBe(first.id);
  });

  test('an attempt is stored once, as one delivery with its events and its scores', async () => {
    const run = await begin();
    const scores = {
      dimensions: { correctness: { state: 'available' as const, score: 0.5, reason: null, raw: null } },
      ...{ validators: {}, judges: {}, metrics: {} },
    };
    const usage = { input: 3, output: 4, total: 7, cached_input: null };
    const step = {
      ...{ text: 'w1', model: 'm', usage, cost_usd: 0.5 },
      tool_calls: [{ id: 't', name: 'look', arguments: {}, result: 'seen', failed: true }],
    };
    const imported = attempt({ scores, usage, cost_usd: 0.5, latency_ms: 12, steps: [step] });
    expect(await add(run, [imported])).toEqual({ accepted: 1, repeated: 0 });
    expect(await add(run, [{ ...imported, outcome: 'agent_error' }])).toEqual({ accepted: 0, repeated: 1 });
    const [first] = await attemptsOf(run);
    expect(first).toMatchObject({
      ...{ state: 'finished', outcome: 'completed', delivery: 1, latency_ms: 12, cost_usd: 0.5 },
      ...{ usage: { total: 7 }, tool_call_count: 1, model_call_count: 1 },
    });
    const { items } = await fixture.bus.call(runs.events, {
      workspace_id,
      run_id: run.id,
      after: 0,
      limit: 100,
    });
    const events = items.filter(({ source }) => source === 'imported');
    expect(events.map(({ event_type }) => event_type)).toEqual([
      'system.run.started',
      'system.step.started',
      'model.call.started',
      'model.call.completed',
      'tool.call.started',
      'tool.call.failed',
      'system.step.completed',
      'system.output.finalized',
      'system.run.completed',
    ]);
    expect(events[0]?.payload).toMatchObject({ kind: 'imported', imported: { format: 'jsonl', scores } });
    await waitFor(async () => (await attemptsOf(run))[0]?.passed === true);
  });

  test('figures that the source does not have are unknown, and never 0', async () => {
    const run = await begin({ grading: 'pack' });
    await add(run, [attempt(), attempt({ lane: 'theirs', model_calls: 0, tool_calls: 0, cost_usd: 0 })]);
    const found = await attemptsOf(run);
    const [bare, full] = ['ours', 'theirs'].map((name) =>
      found.find(({ agent_name, case_key }) => agent_name === name && case_key === 'case-1'),
    );
    expect(bare).toMatchObject({ imported: true, tool_call_count: null, cost_usd: null, latency_ms: null });
    expect(bare).not.toHaveProperty('model_call_count');
    expect(full).toMatchObject({ model_call_count: 0, tool_call_count: 0, cost_usd: 0 });
    const { items } = await fixture.bus.call(runs.agents, { workspace_id, run_id: run.id });
    expect(items.map(({ name, tally }) => [name, tally?.cost_usd])).toEqual([
      ['ours', null],
      ['theirs', 0],
    ]);
  });

  test('recorded scores are left out where the pack grades', async () => {
    const run = await begin({ grading: 'pack' });
    await add(run, [attempt({ scores: { dimensions: {}, validators: {}, judges: {}, metrics: {} } })]);
    const { items } = await fixture.bus.call(runs.events, {
      workspace_id,
      run_id: run.id,
      after: 0,
      limit: 100,
    });
    const start = items.find(({ event_type }) => event_type === 'system.run.started');
    expect(start?.payload).toEqual({ kind: 'imported', imported: { format: 'jsonl', sha256: SHA256 } });
  });

  test('every text of an attempt is kept, also with U+0000 and with halves of surrogate pairs', async () => {
    const text = fc.string({ unit: fc.constantFrom('\0', '\ud800', '\udc00', '\\', '"', 'u0000', 'é', 'a') });
    const texts = fc.record({ output: text, reply: text, key: text, value: text, result: text });
    await fc.assert(
      fc.asyncProperty(texts, async ({ output, reply, key, value, result }) => {
        const sha256 = newId().replaceAll('-', '').padEnd(64, '0');
        const run = await begin({ source: { format: 'jsonl', sha256 }, lanes: [{ name: 'ours' }] });
        const given = { [key]: value, inner: [{ [key]: value }] };
        const tool_calls = [{ id: 't', name: 'look', arguments: given, result, failed: false }];
        const steps = [{ text: reply, model: 'm', usage: null, cost_usd: null, tool_calls }];
        expect(await add(run, [attempt({ final_output: output, steps })])).toMatchObject({ accepted: 1 });
        const payloads = await payloadsOf(run);
        expect(payloads['system.output.finalized']).toMatchObject({ final_output: output });
        expect(payloads['model.call.completed']).toMatchObject({
          text: reply,
          tool_calls: [{ arguments: given }],
        });
        expect(payloads['tool.call.completed']).toMatchObject({ arguments: given, result });
        await complete(run);
      }),
      {
        numRuns: 15,
        examples: [[{ output: 'x\0y', reply: 'x\ud800y', key: '\0', value: '\udc00', result: '\0' }]],
      },
    );
  });

  test.each([
    ['lane', { lane: 'a\0' }],
    ['case_key', { case_key: 'a\ud800' }],
    ['error_code', { outcome: 'agent_error' as const, error_code: '\0' }],
    ['steps.0.model', { steps: [{ ...STEP, model: '\udc00' }] }],
    ['steps.0.tool_calls.0.id', { steps: [{ ...STEP, tool_calls: [{ ...CALL, id: '\0' }] }] }],
    ['steps.0.tool_calls.0.name', { steps: [{ ...STEP, tool_calls: [{ ...CALL, name: 'a\ud800' }] }] }],
    ['scores.metrics', { scores: { ...NO_SCORES, metrics: { 'a\0': 1 } } }],
    [
      'scores.dimensions.d.reason',
      { scores: { ...NO_SCORES, dimensions: { d: { ...NO_SCORE, reason: '\0' } } } },
    ],
  ])('a name that the database cannot hold is refused with its place: %s', async (path, values) => {
    const refused = add(await begin(), [attempt(values)]);
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ field: expect.stringContaining(path) }] },
    });
  });

  test.each([
    ['an unknown lane', { lane: 'other' }],
    ['an unknown case', { case_key: 'case-9' }],
    ['a repetition beyond those of the run', { repetition: 2 }],
  ])('an attempt with %s is refused with its place, and nothing is stored', async (_what, values) => {
    const run = await begin();
    await expect(add(run, [attempt(), attempt(values)])).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ code: 'unknown_reference', field: 'attempts[1]' }] },
    });
    expect((await attemptsOf(run)).every(({ state }) => state === 'queued')).toBe(true);
  });

  test.each([
    ['a cost', { cost_usd: 1e308 }],
    ['a known part of a cost', { cost_at_least_usd: 1e10 }],
    ['a time', { latency_ms: 1e12 }],
    ['a number of tokens', { usage: { input: 1e13, output: null, total: null, cached_input: null } }],
    ['a number of calls', { model_calls: 1e10 }],
    ['a metric', { scores: { dimensions: {}, validators: {}, judges: {}, metrics: { m: 1e308 } } }],
  ])('%s that no attempt can have is refused, and the run takes others', async (_what, values) => {
    const run = await begin();
    const faulty = [attempt(values), attempt({ ...values, case_key: 'case-2' })];
    await expect(add(run, faulty)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await add(run, [attempt({ cost_usd: 1e9 })])).toEqual({ accepted: 1, repeated: 0 });
  });

  test('two attempts of the same place in one request are refused', async () => {
    const errors = [{ code: 'duplicate', field: 'attempts[1]' }];
    await expect(add(await begin(), [attempt(), attempt()])).rejects.toMatchObject({ details: { errors } });
  });

  test('attempts that were not imported are missing data once the import is complete, and completing repeats', async () => {
    const run = await begin({ lanes: [{ name: 'ours' }] });
    await add(run, [attempt()]);
    await complete(run);
    expect(await complete(run)).toMatchObject({ id: run.id });
    const found = await attemptsOf(run);
    expect(found.map(({ outcome, error }) => [outcome, error?.code])).toEqual([
      ['completed', undefined],
      ['infra_error', 'not_imported'],
      ['infra_error', 'not_imported'],
    ]);
  });

  test('an import without any attempt ends, and takes none afterwards', async () => {
    const run = await begin();
    await complete(run);
    await expect(add(run, [attempt()])).rejects.toMatchObject({ code: 'conflict' });
  });

  test('an imported run is not retried, and a cancelled one takes no attempts', async () => {
    const run = await begin();
    await add(run, [attempt({ outcome: 'agent_error', error_code: 'gave_up' })]);
    const ours = { workspace_id, run_id: run.id, actor: 'tests' };
    await expect(
      fixture.bus.call(runs.retry, { ...ours, request: { only: 'failed' } }),
    ).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('imported'),
    });
    await fixture.bus.call(runs.cancel, ours);
    await expect(add(run, [attempt({ case_key: 'case-2' })])).rejects.toMatchObject({ code: 'conflict' });
  });

  test('the source of a cancelled import is imported again as another run, each time', async () => {
    const found: string[] = [];
    for (let time = 0; time < 3; time += 1) {
      const run = await begin();
      expect(await add(run, [attempt()])).toMatchObject({ accepted: 1 });
      await fixture.bus.call(runs.cancel, { workspace_id, run_id: run.id, actor: 'tests' });
      found.push(run.id);
    }
    expect(new Set(found).size).toBe(3);
    const [one, other] = await Promise.all([begin(), begin()]);
    expect([one.status, one.id]).toEqual(['queued', other.id]);
    expect(found).not.toContain(one.id);
  });

  test('a run that is run here takes no imported attempts', async () => {
    const spec = { name: 'solver', kind: 'scripted' as const, config: {} };
    const deployment = await fixture.scripted(`${spec.name}-${workspace_id}`);
    const run = await fixture.createRun(pack.version.id, [deployment]);
    const request = { attempts: [attempt()] };
    const to = { workspace_id: fixture.workspaceId, run_id: run.id, actor: 'tests' };
    await expect(fixture.bus.call(runImports.add, { ...to, request })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(fixture.bus.call(runImports.complete, to)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a workspace has ten open imports at most', async () => {
    const sources = Array.from({ length: 10 }, (_, index) => String(index).repeat(64));
    const open = await Promise.all(sources.map((sha256) => begin({ source: { format: 'jsonl', sha256 } })));
    await expect(begin()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('10 imports'),
    });
    const full = await begin().catch((error: unknown) => error);
    const ids = open.map(({ id }) => id).sort();
    expect(full).toMatchObject({
      message: expect.stringContaining('agentclash run cancel'),
      details: { runs: ids },
    });
    for (const id of ids) expect(full).toMatchObject({ message: expect.stringContaining(id) });
    await complete(open[0] as Run);
    await expect(begin()).resolves.toMatchObject({ status: 'queued' });
  });
});
