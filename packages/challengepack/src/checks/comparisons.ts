import type { FieldPath } from '../decode/field-path.js';
import type { ValidatorDraft } from '../evaluation-spec/authored.js';
import { isConfigFaulty } from '../evaluation-spec/checks/expected.js';
import { isOfCase, parseReference, type Reference } from '../evaluation-spec/references.js';
import type { ValidatorConfig } from '../evaluation-spec/validator-configs.js';
import type { ExpectingType } from '../expected/expected-readers.js';
import { expectsText } from '../expected/try-expected.js';
import { eachEntry, type PackCheck } from './pack-check.js';

/** A validator that reads expected texts. */
export interface Trial<T extends ExpectingType = ExpectingType> {
  readonly type: T;
  readonly config: Partial<ValidatorConfig<T>> | undefined;
}

/** Each text of the cases that a validator or judge of the pack reads. */
export function comparisonsOf(check: PackCheck): Comparison[] {
  const validators = check.pack.version?.evaluation_spec?.validators;
  const at = check.paths.evaluationSpec.field('validators');
  const compared = [...eachEntry(validators, at)].flatMap(
    ([validator, location]) => comparisonOf(check, validator, location) ?? [],
  );
  return [...compared, ...judgedTexts(check)];
}

/** The texts of a case that judges read: without it they are in error, which no attempt can help. */
function* judgedTexts(check: PackCheck): Generator<Comparison> {
  const at = check.paths.evaluationSpec.field('llm_judges');
  for (const [judge, location] of eachEntry(check.pack.version?.evaluation_spec?.llm_judges, at)) {
    const written: [string | undefined, FieldPath][] = [
      ...[...eachEntry(judge.context_from, location.field('context_from'))].map(
        ([text, textAt]): [string, FieldPath] => [text, textAt],
      ),
      [judge.reference_from, location.field('reference_from')],
    ];
    for (const [text, textAt] of written) {
      const reference = referenceToCase(check, text, textAt);
      if (reference !== undefined && text !== undefined) yield { written: text, reference, at: textAt };
    }
  }
}

/** A validator or judge that reads something of the case. */
export interface Comparison {
  /** Of a validator. */
  type?: ExpectingType;
  written: string;
  reference: Reference;
  /** Of a validator. */
  target?: string;
  /** An output that is not what is expected passes. */
  isInverse?: boolean;
  /** Cases without it are not compared. */
  condition?: Reference;
  /** Absent of a judge, and when the config is faulty: then only what is missing is reported. */
  trial?: Trial;
  at: FieldPath;
}

function comparisonOf(
  check: PackCheck,
  { type, config, target, expected_from: written, when, expect }: ValidatorDraft,
  location: FieldPath,
): Comparison | undefined {
  const at = location.field('expected_from');
  if (type === undefined || written === undefined || !expectsText(type)) return undefined;
  const reference = referenceToCase(check, written, at);
  if (reference === undefined) return undefined;
  const condition = referenceToCase(check, when, location.field('when'));
  const isReadable = !isConfigFaulty(check.problems, { type, config }, location.field('config'));
  return {
    type,
    written,
    reference,
    at,
    ...(target !== undefined && { target }),
    ...(expect === false && { isInverse: true }),
    ...(condition && { condition }),
    ...(isReadable && { trial: { type, config } as Trial }),
  };
}

/** The parsed reference, where it names a part of the case and has no error. */
export function referenceToCase(
  check: PackCheck,
  written: string | undefined,
  at: FieldPath,
): Reference | undefined {
  if (written === undefined || check.problems.isFaulty(at)) return undefined;
  const reference = parseReference(written);
  return reference !== null && isOfCase(reference) ? reference : undefined;
}
