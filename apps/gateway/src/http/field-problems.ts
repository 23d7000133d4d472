import { membersAt } from '@agentclash/api';
import { nearestName } from '@agentclash/challengepack';
import type { FieldProblem } from '@agentclash/contracts';
import type { z } from 'zod';
import { isMissing, plainWords } from './plain-words.js';

type Path = readonly PropertyKey[];

export type Reading = { data: unknown; errors?: never } | { errors: FieldProblem[] };

/** Reads by a schema, or names every fault with its place; an unknown member names the nearest known one. */
export function readFields(schema: z.ZodType, value: unknown): Reading {
  const parsed = schema.safeParse(value, { error: plainWords, reportInput: true });
  if (parsed.success) return { data: parsed.data };
  return { errors: parsed.error.issues.flatMap((issue) => problemsOf(issue, schema)) };
}

function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodType): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = membersAt(schema, issue.path);
    return issue.keys.map((key) => {
      const suggestion = nearestName(key, known) ?? known.find((name) => name.startsWith(`${key}_`));
      const field = fieldOf([...issue.path, key]);
      const message =
        suggestion === undefined ? 'is not known here' : `is not known here; "${suggestion}" is`;
      return { code: 'unknown_field', field, message, ...(suggestion && { suggestion }) };
    });
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const [best = []] = [...issue.errors].sort((a, b) => remoteness(a) - remoteness(b));
    const inner = best.map((nested) => ({ ...nested, path: [...issue.path, ...nested.path] }));
    if (inner.length > 0) return inner.flatMap((nested) => problemsOf(nested, schema));
  }
  const code = isMissing(issue) ? 'required' : issue.code;
  return [{ code, field: fieldOf(issue.path), message: issue.message }];
}

/** How far an option of a union is from what was meant: wrong members tell more than a wrong kind. */
function remoteness(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => {
    const missing = issue.code === 'invalid_type' && issue.path.length <= 1 ? 10 : 1;
    return sum + (issue.code === 'unrecognized_keys' ? 5 * issue.keys.length : missing);
  }, 0);
}

function fieldOf(path: Path): string {
  return path.map(String).join('.');
}
