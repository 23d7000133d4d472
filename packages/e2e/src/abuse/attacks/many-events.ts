import type { Attack } from './attack.js';
import { startHostileRun } from './hostile-run.js';

/** Within the most events of an attempt, and beyond it. */
const CALLS = { within: 4_000, beyond: 7_000 } as const;
const SHORT_CALLS = { within: 500, beyond: 7_000 } as const;

/** Agents whose history does not fit into one message of the bus, and one that does not stop. */
export const manyEvents: Attack = {
  summary: 'attempts of 4,000 and 7,000 tool calls',
  expected: [/^run (completed|cancelled)$/, /^attempt (completed|cancelled)\b/, /^call (limit|cancelled)$/],
  required: /^attempt limit_reached\b/,
  start: (site) => {
    const calls = site.scale === 'short' ? SHORT_CALLS : CALLS;
    return startHostileRun(site, {
      slug: 'many-events',
      cases: 1,
      customTools: [
        {
          name: 'note',
          description: 'Notes.',
          parameters: { type: 'object', properties: { text: { type: 'string' } } },
          implementation: { type: 'mock', response: 'noted' },
        },
      ],
      agents: Object.entries(calls).map(([name, times]) => ({
        name,
        config: {
          steps: [
            ...Array.from({ length: times }, (_, at) => ({
              call: { name: 'note', arguments: { text: `n${at}` } },
            })),
            { answer: 'done' },
          ],
        },
      })),
    });
  },
};
