import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** The words for an entered value of each origin, beside its limit. */
const UNITS: Readonly<Record<string, string>> = {
  string: ' characters',
  array: ' entries',
  object: ' entries',
};
const KINDS: Readonly<Record<string, string>> = {
  ...{ number: 'a number', int: 'a whole number', string: 'a text', boolean: 'true or false' },
  ...{ array: 'a list', object: 'a map', record: 'a map' },
};

/** The problem of a field in words that fit beside its label. */
export function problemWords(issue: Issue): string {
  // Of the whole spec, which has no label.
  if (issue.path.length === 0) return issue.message;
  switch (issue.code) {
    case 'too_big':
      return limitWords(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'is required';
      return limitWords(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'invalid_type': {
      // The issue has no input of its own.
      if (issue.message.endsWith('received undefined')) return 'is required';
      const kind = KINDS[issue.expected];
      return kind === undefined ? issue.message : `must be ${kind}`;
    }
    default:
      return issue.message;
  }
}

function limitWords(origin: string, limit: number | bigint, bound: string): string {
  const unit = UNITS[origin];
  return unit === undefined ? `must be ${bound} ${limit}` : `must have ${bound} ${limit}${unit}`;
}
