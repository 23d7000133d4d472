import type { JsonObject } from '../json.js';
import { countCodePoints } from '../text/code-points.js';
import { suggestedName } from '../text/nearest-name.js';
import { trim } from '../text/white-space.js';
import { type Decoding, hasUnpairedSurrogate } from './decoding.js';
import type { FieldPath } from './field-path.js';
import type { ProblemCode } from './problem-codes.js';
import type { Draft, Shape } from './shape.js';
import type { SourceNode } from './source.js';

export interface TextOptions {
  /** Kept as written instead of trimmed. */
  verbatim?: boolean;
  /** Lower-cased after trimming. */
  lowerCase?: boolean;
  /** Code points; a longer text counts as absent. */
  lengthMax?: number;
  /** The required form, else `malformed`. */
  pattern?: RegExp;
  /** The form in words. */
  form?: string;
  /** Any further rules; what they find is reported at the field, the value is kept for the checks that follow. */
  check?: (text: string) => TextProblem | readonly TextProblem[] | undefined;
  /** The reading of blank text: as absent, or as a value of its own. Default: absent. */
  blank?: 'absent' | 'value';
}

export interface TextProblem {
  code: ProblemCode;
  message?: string;
  suggestion?: string;
}

/** JSON types whose source text fills a string field. */
export const TEXT_TYPES = ['string', 'number', 'boolean'];

/** A string field: takes the source text of any scalar but null. */
export function text(options: TextOptions = {}): Shape<string> {
  return {
    nullAs: 'problem',
    blankAs: options.blank ?? 'absent',
    emptyAs: 'value',
    schema: { type: TEXT_TYPES, ...constraints(options) },
    decode(node, at, decoding) {
      const raw = sourceText(node, at, decoding);
      if (raw === undefined) return undefined;
      const value = shaped(raw, options);
      if (isTooLong(value, options)) {
        decoding.report('too_long', at, { message: `at most ${options.lengthMax} characters` });
        return undefined;
      }
      for (const finding of findings(value, options)) decoding.report(finding.code, at, finding);
      return value;
    },
    encode: (value) => value,
  };
}

/** One of the keys of a table, whose entries describe them. */
export function choice<V extends string>(descriptions: Readonly<Record<V, string>>): Shape<V> {
  return oneOf(Object.keys(descriptions) as V[], { descriptions });
}

/** A text out of a closed set, else `unknown_value` with the nearest known one as suggestion. */
export function oneOf<const V extends string>(
  values: readonly V[],
  options: { lowerCase?: boolean; descriptions?: Readonly<Record<V, string>> } = {},
): Shape<V> {
  const { descriptions } = options;
  return {
    nullAs: 'problem',
    blankAs: 'absent',
    emptyAs: 'value',
    schema: {
      enum: [...values],
      ...(descriptions && { enumDescriptions: values.map((value) => descriptions[value]) }),
    },
    decode(node, at, decoding) {
      const raw = sourceText(node, at, decoding);
      if (raw === undefined) return undefined;
      const value = shaped(raw, options);
      const known = values.find((candidate) => candidate === value);
      if (known !== undefined) return known as Draft<V>;
      const suggestion = suggestedName(value, values);
      const message =
        suggestion === undefined
          ? `expected one of ${values.join(', ')}`
          : `unknown value; did you mean ${suggestion}? Known: ${values.join(', ')}`;
      decoding.report('unknown_value', at, { message, ...(suggestion && { suggestion }) });
      // Where only types matter the text is kept as it is written, for the manifest.
      return decoding.options.typesOnly ? (value as Draft<V>) : undefined;
    },
    encode: (value) => value,
  };
}

function sourceText(node: SourceNode, at: FieldPath, decoding: Decoding): string | undefined {
  if (node.kind !== 'scalar' || node.value === null) return decoding.mismatch(node, at, 'text');
  if (!hasUnpairedSurrogate(node.text)) return node.text;
  decoding.report('not_json', at, { message: 'the text holds an unpaired surrogate' });
  return undefined;
}

function shaped(raw: string, options: TextOptions): string {
  const trimmed = options.verbatim ? raw : trim(raw);
  return options.lowerCase ? trimmed.toLowerCase() : trimmed;
}

function isTooLong(value: string, { lengthMax }: TextOptions): boolean {
  return lengthMax !== undefined && countCodePoints(value) > lengthMax;
}

function* findings(value: string, options: TextOptions): Iterable<TextProblem> {
  const { pattern, form = `the form ${pattern?.source}`, check } = options;
  if (pattern && !pattern.test(value)) {
    yield { code: 'malformed', message: `expected ${form}` };
  }
  yield* [check?.(value) ?? []].flat();
}

function constraints(options: TextOptions): JsonObject {
  return {
    ...(options.lengthMax !== undefined && { maxLength: options.lengthMax }),
    ...(options.pattern && { pattern: options.pattern.source }),
  };
}
