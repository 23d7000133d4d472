import type { PatternSearches, QueryTurns } from '../workers/bounded-work.js';
import { searchPattern } from '../workers/pattern-search.js';

/** Searches at once, in the calling thread. */
export const patternSearches: PatternSearches = { search: async (task) => searchPattern(task) };

/** Every query runs at once. */
export const queryTurns: QueryTurns = { take: (work) => work() };
