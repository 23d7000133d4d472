import { type EvaluationSpec, type JsonValue, readEvaluationSpec } from '@agentclash/challengepack';
import type { AttemptEvidence, EvidenceEvent, RecordedEnd } from '../evidence/types.js';
import type { ValidatorResult } from '../validators/result.js';
import { scoreValidators } from '../validators/score-validators.js';

type Fields = Record<string, unknown>;

/** An attempt by one validator with the key `v`, given by what was recorded. Null: the thing is not there. */
export interface Trial {
  /** '' is none. */
  readonly target?: string;
  readonly config?: JsonValue;
  readonly attempt?: RecordedEnd;
  /** The final output. */
  readonly actual?: string | null;
  /** The text behind `expected_from`. */
  readonly expected?: string | null;
  readonly capture?: Fields | null;
  readonly listing?: Fields | null;
  /** Several: of the phases of a conversation. */
  readonly execution?: Fields | readonly Fields[] | null;
  /** The run of the validator's script. */
  readonly script?: Fields | null;
  readonly tool_calls?: readonly { tool_name: string; arguments: Fields; failed: boolean }[];
  readonly turns?: readonly Fields[];
  readonly verifier_failed?: boolean;
}

/** Judges a trial; a bug in the validator is thrown. */
export function judge(type: string, trial: Trial): ValidatorResult {
  const [result] = scoreValidators(specOf(type, trial), evidenceOf(trial), { onBug: rethrow });
  if (result === undefined) throw new Error('no result');
  return result;
}

export function specOf(type: string, { target = 'final_output', config, expected }: Trial): EvaluationSpec {
  const validator = {
    key: 'v',
    type,
    ...(target !== '' && { target }),
    ...(config !== undefined && { config }),
    ...(expected !== undefined && { expected_from: 'case.expectations.expected' }),
  };
  return readEvaluationSpec({
    name: 'trial',
    version_number: 1,
    judge_mode: 'deterministic',
    validators: [validator],
    scorecard: { dimensions: ['correctness'] },
  });
}

export function evidenceOf(trial: Trial): AttemptEvidence {
  const { attempt = { outcome: 'completed' }, expected } = trial;
  const isExpected = expected !== undefined && expected !== null;
  return {
    attempt,
    events: eventsOf(trial).map(([event_type, payload], index) => ({
      sequence_number: index + 1,
      event_type,
      occurred_at: '2026-01-01T00:00:00.000Z',
      payload,
    })),
    case: { expectations: isExpected ? { expected: { kind: 'text', value: expected } } : {} },
  };
}

function eventsOf(trial: Trial): [EvidenceEvent['event_type'], Fields][] {
  const key = trial.target?.replace('file:', '');
  const { actual, capture, listing, execution, script, tool_calls = [], turns = [] } = trial;
  const isOutput = actual !== undefined && actual !== null && turns.length === 0;
  return [
    ...tool_calls.map(({ failed, ...call }): [string, Fields] => [
      failed ? 'tool.call.failed' : 'tool.call.completed',
      call,
    ]),
    ...turns.map((turn): [string, Fields] => ['turn.completed', turn]),
    ...present('system.output.finalized', isOutput ? { final_output: actual } : null),
    ...present('grader.verification.file_captured', capture && { key, ...capture }),
    ...present('grader.verification.directory_listed', listing && { key, ...listing }),
    ...[execution ?? []]
      .flat()
      .map((run): [string, Fields] => ['grader.verification.code_executed', { validator_key: 'v', ...run }]),
    ...present('grader.verification.script_executed', script && { validator_key: 'v', ...script }),
    ...present('grader.verification.failed', trial.verifier_failed ? {} : null),
  ];
}

function present(type: string, payload: Fields | null | undefined): [string, Fields][] {
  return payload ? [[type, payload]] : [];
}

function rethrow(error: unknown): never {
  throw error;
}
