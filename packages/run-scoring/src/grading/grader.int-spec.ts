import { readEvaluationSpec } from '@agentclash/challengepack';
import type { AttemptEvidence } from '@agentclash/grading';
import { TaskThread } from '@agentclash/threads';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Grader, type GraderLimits } from './grader.js';

const LIMITS: GraderLimits = {
  threads: 1,
  memoryMib: 256,
  validatorMs: 1_500,
  attemptMs: 20_000,
  restMs: 20_000,
};

/** Items that a validator looks at a hundred times: seconds for `DISTINCT`, nothing for the short arrays. */
const UNIQUE = JSON.stringify({
  type: 'array',
  uniqueItems: true,
  allOf: Array.from({ length: 100 }, (_, n) => ({ contains: { const: n }, minContains: 0 })),
});

/** An array of distinct objects. */
const DISTINCT = JSON.stringify(Array.from({ length: 300_000 }, (_, index) => ({ a: { b: { n: index } } })));

const BEGINS = { key: 'begins', type: 'starts_with', target: 'final_output', expected_from: 'literal:[' };

const HOSTILE = {
  name: 'hostile',
  version_number: 1,
  judge_mode: 'deterministic',
  validators: [
    {
      key: 'unique',
      type: 'json_schema',
      target: 'final_output',
      expected_from: `literal:${UNIQUE}`,
    },
    BEGINS,
  ],
  scorecard: { dimensions: ['correctness'], pass_threshold: 1 },
};
const SPEC = readEvaluationSpec(HOSTILE);

/** Calls of one tool that only their last argument distinguishes. */
function toolCalls(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    tool_name: 'read',
    arguments: { a: 1, b: [1, 2, 3, 4], c: { d: 'x' }, index },
  }));
}

function evidence(final_output: string): AttemptEvidence {
  const occurred_at = '2026-01-01T00:00:00.000Z';
  return {
    attempt: { outcome: 'completed' },
    case: {},
    events: [
      { sequence_number: 1, event_type: 'system.output.finalized', occurred_at, payload: { final_output } },
    ],
  };
}

describe('a grader', () => {
  const graders: Grader[] = [];
  const grade = async (output: string, limits: Partial<GraderLimits> = {}) => {
    const grader = new Grader({ ...LIMITS, ...limits });
    graders.push(grader);
    const input = { judge_records: [], security: undefined };
    const work = { spec: SPEC, evidence: evidence(output), input, onBug: () => {} };
    return { grader, work, graded: await grader.grade(work) };
  };
  afterEach(() => Promise.all(graders.splice(0).map((grader) => grader.stop())));

  test('a validator that takes too long is stopped: the scorecard is invalid, and the other validators still count', async () => {
    const { graded, grader, work } = await grade(DISTINCT, { validatorMs: 500 });
    expect(graded.figures).toMatchObject({ overall: null, passed: null, validity: 'invalid' });
    expect(JSON.parse(graded.scorecard)).toMatchObject({
      validators: [
        { key: 'unique', state: 'error', outcome: 'evaluator_error', reason: 'resource_limit', score: null },
        { key: 'begins', verdict: 'pass' },
      ],
    });
    const next = await grader.grade({ ...work, evidence: evidence('[1,2]') });
    expect(next.figures).toMatchObject({ overall: 1, passed: true, validity: 'valid' });
  });

  test('a validator is stopped in the middle of a long comparison', async () => {
    const { grader, work } = await grade('[1]', { validatorMs: 500 });
    const slow = {
      key: 'trajectory',
      type: 'trajectory_match',
      target: 'tool_calls',
      config: { mode: 'unordered', arguments: 'contains' },
      expected_from: `literal:${JSON.stringify(toolCalls(3_000))}`,
    };
    const spec = readEvaluationSpec({ ...HOSTILE, validators: [slow, BEGINS] });
    const events = toolCalls(3_000).map((payload, index) => ({
      sequence_number: index + 2,
      event_type: 'tool.call.completed' as const,
      occurred_at: '2026-01-01T00:00:00.000Z',
      payload,
    }));
    const output = evidence('[1]');
    const long = { ...output, events: [...output.events, ...events] };
    const { figures, scorecard } = await grader.grade({ ...work, spec, evidence: long });
    expect(figures.validity).toBe('invalid');
    expect(JSON.parse(scorecard).validators).toMatchObject([
      { key: 'trajectory', outcome: 'evaluator_error', reason: 'resource_limit' },
      { key: 'begins', verdict: 'pass' },
    ]);
  });

  test('a validator that does not apply to the case has no result, in a batch and step by step', async () => {
    const { grader, work } = await grade('[1]', { validatorMs: 500 });
    const absent = { ...BEGINS, key: 'absent', when: 'case.expectations.none' };
    const spec = readEvaluationSpec({ ...HOSTILE, validators: [absent, ...HOSTILE.validators] });
    for (const [output, keys] of [
      ['[1]', ['unique', 'begins']],
      [DISTINCT, ['unique', 'begins']],
    ] as const) {
      const { scorecard } = await grader.grade({ ...work, spec, evidence: evidence(output) });
      expect(JSON.parse(scorecard).validators.map(({ key }: { key: string }) => key)).toEqual(keys);
    }
  });

  test('no validator runs when the attempt has used up its time', async () => {
    const { graded } = await grade('[1,2]', { attemptMs: -1 });
    expect(graded.figures.validity).toBe('invalid');
  });

  test('more attempts than threads are graded at once, each by its own evidence', async () => {
    const { grader, work } = await grade('[1]');
    const outputs = ['[1]', '[1,1]', 'x', '[]'];
    const all = await Promise.all(
      outputs.map((output) => grader.grade({ ...work, evidence: evidence(output) })),
    );
    expect(all.map(({ figures }) => figures.overall)).toEqual([1, 0.5, 0, 1]);
  });

  test('an attempt that overruns does not change the results of the others in its batch', async () => {
    const { grader, work } = await grade('[1]', { validatorMs: 700 });
    const outputs = ['[1]', DISTINCT, '[1,1]', 'x', '[]', '[2]', '[3,3]'];
    const all = await Promise.all(
      outputs.map((output) => grader.grade({ ...work, evidence: evidence(output) })),
    );
    expect(all.map(({ figures }) => figures.overall)).toEqual([1, null, 0.5, 0, 1, 1, 0.5]);
  });

  test('attempts that follow those of one batch are graded as one batch again', async () => {
    const { grader, work } = await grade('[1]');
    const run = jest.spyOn(TaskThread.prototype, 'run');
    const oneAfterAnother = async () => {
      for (let count = 0; count < 20; count++) await grader.grade(work);
    };
    await Promise.all(Array.from({ length: 16 }, oneAfterAnother));
    const tasks = run.mock.calls.length;
    run.mockRestore();
    // 320 attempts; the first are graded one by one, until the grader knows how long they take.
    expect(tasks).toBeLessThan(80);
  });

  test('concurrent attempts of several specs are graded by their own spec', async () => {
    const { grader, work } = await grade('[1]');
    const lenient = { ...SPEC, validators: SPEC.validators.slice(1) };
    const all = await Promise.all(
      [SPEC, lenient, lenient, SPEC].map((spec) =>
        grader.grade({ ...work, spec, evidence: evidence('[1,1]') }),
      ),
    );
    expect(all.map(({ figures }) => figures.overall)).toEqual([0.5, 1, 1, 0.5]);
  });

  test('the same spec and evidence give the same bytes', async () => {
    const [first, second] = [await grade('[1]'), await grade('[1]')];
    expect(first.graded).toEqual(second.graded);
  });
});
