import type { PackError as DomainPackError } from '@agentclash/domain';
import { z } from 'zod';
import type { FieldsOf } from './values.js';

/** Why the pack keeps an attempt from being graded: the first validator or judge that cannot use what it is given. */
export const PackError = z.object({
  validator: z.string(),
  type: z.string(),
  reason: z.string(),
  expected_from: z.string().nullable(),
  /** The beginning of what was found there. */
  value: z.string().nullable(),
  /** One sentence that names all of these and what was expected. */
  message: z.string(),
} satisfies FieldsOf<DomainPackError>);
export type PackError = z.infer<typeof PackError>;

/** The same of several attempts of a run. */
export const PackErrorOfRun = PackError.extend({
  /** The number of attempts that have it. */
  attempts: z.number().int(),
  /** Of the first of them, whose value this is. */
  case_key: z.string(),
});
export type PackErrorOfRun = z.infer<typeof PackErrorOfRun>;
