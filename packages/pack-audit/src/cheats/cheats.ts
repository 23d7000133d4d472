import type { Cheat, CheatFamily } from './cheat.js';
import { DECEPTIONS } from './deceptions.js';
import { ENVIRONMENT } from './environment.js';
import { EXITS } from './exits.js';
import { GRADERS } from './graders.js';
import { HUNTS } from './hunts.js';
import { JUDGES } from './judges.js';
import { OUTPUTS } from './outputs.js';
import { PATCHES } from './patches.js';
import { PRINTED, REPORTS } from './reports.js';
import { RUNNERS } from './runners.js';
import { TESTS } from './tests.js';
import { GUESSES, TEXTS } from './texts.js';
import { TOOLS } from './tools.js';
import { UNFINISHED } from './unfinished.js';
import { VALUES } from './values.js';

/** In the order of the documentation. */
export const CHEAT_FAMILIES: readonly CheatFamily[] = [
  EXITS,
  PRINTED,
  REPORTS,
  VALUES,
  DECEPTIONS,
  PATCHES,
  HUNTS,
  TESTS,
  RUNNERS,
  ENVIRONMENT,
  OUTPUTS,
  GRADERS,
  TEXTS,
  GUESSES,
  JUDGES,
  TOOLS,
  UNFINISHED,
];

/** The cheats that are tried on every pack to which they apply. Keys are unique. */
export const CHEATS: readonly Cheat[] = CHEAT_FAMILIES.flatMap(({ cheats }) => cheats);
