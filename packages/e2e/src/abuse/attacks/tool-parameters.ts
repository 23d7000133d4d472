import type { Attack } from './attack.js';
import { startHostileRun } from './hostile-run.js';
import { doubling, letters, nested, slowPatterns } from './hostile-schemas.js';

const CASES = { short: 2, whole: 8 } as const;
const CALLS = { short: 1, whole: 4 } as const;
const DEPTH = 50;

/** Parameters of a pack's tools that a call validates 2^50 times, or for minutes. */
export const toolParameters: Attack = {
  summary: 'arguments that a tool validates 2^50 times, or for minutes',
  expected: [/^run (completed|cancelled)$/, /^attempt (completed|cancelled)\b/, /^call cancelled$/],
  required: /^call timeout$/,
  start: (site) =>
    startHostileRun(site, {
      slug: 'tool-parameters',
      cases: CASES[site.scale],
      customTools: [mock('doubled', doubling(DEPTH)), mock('slow', slowPatterns())],
      agents: [
        {
          name: 'caller',
          config: {
            steps: [
              { call: { name: 'doubled', arguments: nested(DEPTH) } },
              ...Array.from({ length: CALLS[site.scale] }, (_, at) => ({
                call: { name: 'slow', arguments: { text: letters(30_000 + at) } },
              })),
              { answer: 'done' },
            ],
          },
        },
      ],
    }),
};

function mock(name: string, parameters: object): object {
  return { name, description: 'Probes.', parameters, implementation: { type: 'mock', response: 'probed' } };
}
