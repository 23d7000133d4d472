import type { ArgumentChecks } from '../tools/argument-checks.js';
import { argumentsCheck } from '../tools/arguments.js';

/** Checks at once, in the thread that asks. */
export const argumentChecks: ArgumentChecks = {
  check: async ({ schema, args, opaque }) => argumentsCheck(schema)(args, opaque),
};
