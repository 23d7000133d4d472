import type { Attack } from './attacks/attack.js';
import { busApiFlood } from './attacks/bus-api-flood.js';
import { endlessQueries } from './attacks/endless-queries.js';
import { outputSchemas, searchPatterns, toolParameters } from './attacks/hostile-schemas.js';
import { manyEvents } from './attacks/many-events.js';
import { refusedRequests } from './attacks/refused-requests.js';
import { slowBodies } from './attacks/slow-bodies.js';

const ALL = {
  'output-schemas': outputSchemas,
  'tool-parameters': toolParameters,
  'search-patterns': searchPatterns,
  'many-events': manyEvents,
  'refused-requests': refusedRequests,
  'endless-queries': endlessQueries,
  'bus-api-flood': busApiFlood,
  'slow-bodies': slowBodies,
} as const satisfies Record<string, Attack>;
export type AttackKey = keyof typeof ALL;

/** The attacks of one workspace on the others, by key. */
export const ATTACKS: Readonly<Record<AttackKey, Attack>> = ALL;
export const ATTACK_KEYS = Object.keys(ALL) as AttackKey[];
