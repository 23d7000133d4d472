import { performance } from 'node:perf_hooks';
import { type EvaluationSpec, type JsonValue, readEvaluationSpec } from '@agentclash/challengepack';
import { vectorSuite } from '@agentclash/testkit';
import { expect } from '@jest/globals';
import type { AttemptEnd, AttemptEvidence, EvidenceEvent } from '../evidence/types.js';
import { scoreValidators } from './score-validators.js';

type Text = string | { repeat: string; count: number } | { concat: Text[] };
type Fields = Record<string, unknown>;

interface ValidatorVector {
  id: string;
  type: string;
  target?: string;
  config?: JsonValue;
  attempt?: AttemptEnd;
  actual?: Text | null;
  expected?: Text | null;
  capture?: Fields | null;
  listing?: Fields | null;
  execution?: Fields | null;
  tool_calls?: { tool_name: string; arguments: Fields; failed: boolean }[];
  turns?: Fields[];
  verifier_failed?: boolean;
  limits?: { event_loop_block_ms: number };
  want: Fields & { score: number | null; evidence?: Fields };
}

const TRIES = 5;

for (const topic of ['text', 'numbers', 'generation', 'structured', 'files', 'code', 'tools']) {
  vectorSuite<ValidatorVector>(`scoring-validators-${topic}.yaml`, async (vector) => {
    const spec = specOf(vector);
    const evidence = evidenceOf(vector);
    const [result] = await scoreValidators(spec, evidence, { onBug: rethrow });
    const { score, evidence: place, ...rest } = vector.want;
    expect(result).toMatchObject(rest);
    if (score === null) expect(result?.score).toBeNull();
    else expect(Math.abs((result?.score ?? Number.NaN) - score)).toBeLessThan(1e-6);
    if (place) expect(result?.evidence).toMatchObject(place);
    if (vector.limits) {
      const blocked = await leastBlockMs(() => scoreValidators(spec, evidence));
      expect(blocked).toBeLessThanOrEqual(vector.limits.event_loop_block_ms);
    }
  });
}

function specOf({ type, target = 'final_output', config, expected }: ValidatorVector): EvaluationSpec {
  const validator = {
    key: 'validator',
    type,
    target,
    ...(config !== undefined && { config }),
    ...(expected !== undefined && { expected_from: 'case.expectations.expected' }),
  };
  return readEvaluationSpec({
    name: 'vector',
    version_number: 1,
    judge_mode: 'deterministic',
    validators: [validator],
    scorecard: { dimensions: ['correctness'] },
  });
}

function evidenceOf(vector: ValidatorVector): AttemptEvidence {
  const { attempt = { outcome: 'completed' }, expected } = vector;
  const isExpected = expected !== undefined && expected !== null;
  return {
    attempt,
    events: eventsOf(vector).map(([event_type, payload], index) => ({
      sequence_number: index + 1,
      event_type,
      occurred_at: '2026-01-01T00:00:00.000Z',
      payload,
    })),
    case: { expectations: isExpected ? { expected: { kind: 'text', value: textOf(expected) } } : {} },
  };
}

function eventsOf(vector: ValidatorVector): [EvidenceEvent['event_type'], Fields][] {
  const key = vector.target?.replace('file:', '');
  const { actual, capture, listing, execution, tool_calls = [], turns = [] } = vector;
  const isOutput = actual !== undefined && actual !== null && turns.length === 0;
  return [
    ...tool_calls.map(({ failed, ...call }): [string, Fields] => [
      failed ? 'tool.call.failed' : 'tool.call.completed',
      call,
    ]),
    ...turns.map((turn): [string, Fields] => ['turn.completed', turn]),
    ...present('system.output.finalized', isOutput ? { final_output: textOf(actual) } : null),
    ...present('grader.verification.file_captured', capture && { key, ...capture }),
    ...present('grader.verification.directory_listed', listing && { key, ...listing }),
    ...present(
      'grader.verification.code_executed',
      execution && { validator_key: 'validator', ...execution },
    ),
    ...present('grader.verification.failed', vector.verifier_failed ? {} : null),
  ];
}

function present(type: string, payload: Fields | null | undefined): [string, Fields][] {
  return payload ? [[type, payload]] : [];
}

function textOf(text: Text): string {
  if (typeof text === 'string') return text;
  return 'repeat' in text ? text.repeat.repeat(text.count) : text.concat.map(textOf).join('');
}

async function leastBlockMs(run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < TRIES; turn += 1) least = Math.min(least, await longestBlockMs(run));
  return least;
}

/** The longest time between two turns of the event loop while it runs. */
async function longestBlockMs(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isDone = false;
  const watch = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  await run();
  isDone = true;
  watch();
  return longest;
}

function rethrow(error: unknown): never {
  throw error;
}
