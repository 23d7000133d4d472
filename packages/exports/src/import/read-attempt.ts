import type { ImportedAttempt } from '@agentclash/api';
import type { z } from 'zod';

/** A mistake in an imported file, with its location. */
export interface ImportProblem {
  /** Such as `line 12`, or the name of an entry. */
  location: string;
  /** A path into the record; empty for the whole of it. */
  field: string;
  message: string;
}

/** The run that a record names. */
export interface RecordedSource {
  pack?: string | undefined;
  version_number?: number | undefined;
  version_digest?: string | undefined;
  input_set?: string | undefined;
}

/** One record of an imported file: an attempt, none (`unfinished`), or its problems. */
export type ReadAttempt =
  | { location: string; attempt: ImportedAttempt; source: RecordedSource }
  | { location: string; unfinished: true }
  | { location: string; problems: ImportProblem[] };

/** Settings of records that do not have them. */
export interface ReadDefaults {
  lane?: string | undefined;
  caseKey?: string | undefined;
  /** Leave recorded scores out, so that the pack grades the evidence. */
  withoutScores?: boolean | undefined;
}

/** The names that a file has for the fields of an attempt. */
export type FieldNames = Readonly<Record<string, string>>;

type Issue = z.core.$ZodIssue;

/** The problems of a validation, at a location, by the fields of the file. */
export function problemsAt(
  location: string,
  issues: readonly Issue[],
  names: FieldNames = {},
): ImportProblem[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        ...{ location, field: fieldOf([...path, key], names) },
        message: 'is no field of this format',
      }));
    }
    return [{ location, field: fieldOf(path, names), message: sentenceOf(issue) }];
  });
}

/** The longest beginning that has another name in the file is replaced. */
function fieldOf(path: readonly string[], names: FieldNames): string {
  for (let length = path.length; length > 0; length -= 1) {
    const key = path.slice(0, length).join('.');
    const name = Object.hasOwn(names, key) ? names[key] : undefined;
    if (name !== undefined) return [name, ...path.slice(length)].filter((part) => part !== '').join('.');
  }
  return path.join('.');
}

const KINDS: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false' },
  ...{ object: 'an object', record: 'an object', array: 'a list' },
};

/** The rule that a value breaks, in words that follow the name of its field. */
function sentenceOf(issue: Issue): string {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined && issue.message.endsWith('undefined')
      ? 'is missing'
      : `must be ${KINDS[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === 'too_big') {
    if (issue.origin === 'string') return `is longer than ${issue.maximum} characters`;
    if (issue.origin === 'array') return `has more than ${issue.maximum} entries`;
    return `must be at most ${issue.maximum}`;
  }
  if (issue.code === 'too_small') {
    if (issue.origin === 'string' || issue.origin === 'array') return 'must not be empty';
    return `must be at least ${issue.minimum}`;
  }
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.map((value) => `"${String(value)}"`).join(', ')}`;
  if (issue.code === 'invalid_union') {
    const broken = issue.errors.flat().find(({ code }) => code === 'too_big' || code === 'too_small');
    if (broken !== undefined) return sentenceOf(broken);
  }
  return /^[A-Z]/.test(issue.message) ? 'has a value that the format does not allow' : issue.message;
}
