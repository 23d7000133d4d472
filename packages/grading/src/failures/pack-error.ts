import {
  type EvaluationSpec,
  type ExpectedProblem,
  expectedProblemText,
  expectsText,
  type ValidatorOf,
  type ValidatorType,
} from '@agentclash/challengepack';
import type { PackError } from '@agentclash/domain';
import type { Scorecard } from '../scorecard/types.js';
import { HARNESS_SETUP_FAILED } from '../validators/harness-setup.js';
import type { ValidatorResult } from '../validators/result.js';

const VALUE_SHOWN_MAX = 60;

/** The first validator or judge, in spec order, that the pack keeps from grading; undefined when there is none. */
export function packErrorOf(
  spec: Pick<EvaluationSpec, 'validators' | 'llm_judges'>,
  { validators, judges }: Pick<Scorecard, 'validators' | 'judges'>,
): PackError | undefined {
  const faulty = validators.find(({ outcome }) => outcome === 'pack_error');
  const declared = spec.validators.find(({ key }) => key === faulty?.key);
  if (faulty !== undefined && declared !== undefined) return errorOfValidator(declared, faulty);
  const judge = judges.find(({ state, reason }) => state === 'error' && reason === 'missing_expected');
  if (judge === undefined) return undefined;
  const from = spec.llm_judges.find(({ key }) => key === judge.key)?.reference_from ?? null;
  const named = from === null ? 'a text of the pack' : from;
  return {
    ...{ validator: judge.key, type: 'judge', reason: 'missing_expected', expected_from: from, value: null },
    message: `judge ${judge.key} needs ${named}, which the case does not have`,
  };
}

function errorOfValidator<T extends ValidatorType>(
  { key, type, expected_from }: ValidatorOf<T>,
  { reason, compared, detail = '' }: ValidatorResult,
): PackError {
  const code = reason ?? 'pack_error';
  const from = expected_from ?? null;
  if (type === 'script') return errorOfScript({ key, code }, compared?.actual?.text ?? '');
  const text = from === null || code === 'missing_expected' ? undefined : compared?.expected?.text;
  const value = text === undefined ? null : shortened(text);
  const who = `validator ${key} (${type})`;
  const identity = { validator: key, type, reason: code, expected_from: from, value };
  if (code === HARNESS_SETUP_FAILED) {
    const message = `${who} cannot grade any attempt, since its harness ended with the error: ${detail}; correct the pack and publish a new version`;
    return { ...identity, value: shortened(detail), message };
  }
  if (from === null) return { ...identity, message: `${who} cannot use its config: ${words(code)}` };
  if (code === 'missing_expected') {
    return { ...identity, message: `${who} needs ${from}, which the case does not have` };
  }
  const wanted = expectsText(type) ? expectedProblemText(type, code as ExpectedProblem) : words(code);
  const found = value === null ? '' : ` = ${JSON.stringify(value)}`;
  return { ...identity, message: `${who} cannot read ${from}${found}: ${wanted}` };
}

/** Codes that need more than their words. */
const SCRIPT_ERRORS: Readonly<Partial<Record<string, string>>> = {
  reply_too_large: 'it printed more than 64 KiB and was ended',
  reply_member_repeated: 'its reply has a member twice',
};

/** With the last line that the script printed: of a failed one its error. */
function errorOfScript({ key, code }: { key: string; code: string }, printed: string): PackError {
  const [, ...lines] = printed.split('\n');
  const last = lines.map((line) => line.trim()).findLast((line) => line !== '');
  const value = last === undefined ? null : shortened(last);
  const found = value === null ? '' : `, which printed ${JSON.stringify(value)}`;
  const message = `validator ${key} has no result of its script${found}: ${SCRIPT_ERRORS[code] ?? words(code)}`;
  return { validator: key, type: 'script', reason: code, expected_from: null, value, message };
}

function shortened(text: string): string {
  const characters = Array.from(text.slice(0, 2 * VALUE_SHOWN_MAX));
  return characters.length > VALUE_SHOWN_MAX
    ? `${characters.slice(0, VALUE_SHOWN_MAX).join('')}…`
    : characters.join('');
}

function words(code: string): string {
  return code.replaceAll('_', ' ');
}
