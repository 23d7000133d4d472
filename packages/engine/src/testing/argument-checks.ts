import { type ArgumentChecks, argumentsCheck } from '../tools/arguments.js';
import type { PatternSearches, QueryLimiter } from '../workers/bounded-work.js';
import { searchPattern } from '../workers/pattern-search.js';

/** Checks at once, in the calling thread. */
export const argumentChecks: ArgumentChecks = {
  check: async ({ schema, args, opaque }) => argumentsCheck(schema)(args, opaque),
};

/** Searches at once, in the calling thread. */
export const patternSearches: PatternSearches = { search: async (task) => searchPattern(task) };

/** Every query runs at once. */
export const queryLimiter: QueryLimiter = { run: (work) => work() };
