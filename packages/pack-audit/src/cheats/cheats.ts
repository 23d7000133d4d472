import type { Cheat } from './cheat.js';

/** The cheats that are tried on every pack to which they apply. Keys are unique. */
export const CHEATS: readonly Cheat[] = [];
