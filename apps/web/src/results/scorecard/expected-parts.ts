import { recordOf, recordsIn, textOf } from '@agentclash/domain';
import type { ExpectationParts, Json } from '../../cases/read-case.js';
import { readCase } from '../../cases/read-case.js';
import type { AttemptScorecard } from './read-scorecard.js';

const LITERAL = 'literal:';
const OF_CASE = 'case.expectations.';

/** A validator or judge by which an attempt is graded. */
interface Grader {
  key: string;
  kind: string;
}

export interface ExpectedParts {
  /** Values: of the case, then of validators that have a fixed one. */
  values: ExpectationParts[];
  /** The validators and judges of the attempt; shown where there is no value. */
  graders: Grader[];
}

/** The values expected of an attempt, by its case, the pack's manifest and, where they have no value, its scorecard. */
export function expectedParts(
  stored: Json,
  manifest: Json | undefined,
  card: AttemptScorecard | null,
): ExpectedParts {
  const validators = recordsIn(recordOf(recordOf(manifest).evaluation_spec), 'validators');
  const expectations = readCase(stored, manifest).expectations.map((expectation) => {
    if (expectation.value !== undefined || expectation.sourceValue !== undefined) return expectation;
    const sourceValue = comparedText(expectation.key, validators, card);
    return sourceValue === undefined ? expectation : { ...expectation, sourceValue };
  });
  const literals = validators.flatMap((validator): ExpectationParts[] => {
    const from = textOf(validator.expected_from);
    if (!from.startsWith(LITERAL)) return [];
    const [key, kind] = [textOf(validator.key), textOf(validator.type)];
    return [{ key, kind, value: from.slice(LITERAL.length), source: '' }];
  });
  const values = [...expectations, ...literals];
  const compared = (card?.comparisons ?? []).flatMap(({ key, kind, compared: { expected } }) =>
    expected === null ? [] : [{ key, kind, value: expected.text, source: '' }],
  );
  const graders = [...(card?.parts.validators ?? []), ...(card?.parts.judges ?? [])];
  return {
    values: values.length > 0 ? values : compared,
    graders: graders.map(({ key, kind }) => ({ key, kind })),
  };
}

/** The whole text that a failed validator compared with, where it is the expectation of that key. */
function comparedText(
  key: string,
  validators: readonly Json[],
  card: AttemptScorecard | null,
): string | undefined {
  const readers = validators.filter(({ expected_from }) => expected_from === `${OF_CASE}${key}`);
  const compared = card?.comparisons.find((line) => readers.some((reader) => reader.key === line.key));
  const { text, length = text?.length } = compared?.compared.expected ?? {};
  return length === text?.length ? text : undefined;
}

/** The one value that is expected, as text; undefined where there are several or none. */
export function fixedText({ values }: ExpectedParts): string | undefined {
  const [first, ...others] = values;
  const value = first?.value ?? first?.sourceValue;
  if (value === undefined || others.length > 0) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
