import type { Attack } from './attack.js';
import { startHostileRun } from './hostile-run.js';
import { letters } from './hostile-schemas.js';

const CASES = { short: 2, whole: 8 } as const;
const CALLS = { short: 1, whole: 4 } as const;
const LINE_LENGTH = 255_000;
/** RE2 follows 3,000 threads through the line. */
const PATTERN = 'a[ab]{990}[cd]|a[ab]{980}[cd]|b[ab]{970}[cd]';

/** A pattern that RE2 needs 17 s for, on one long line. */
export const searchPatterns: Attack = {
  summary: 'a search whose pattern takes 17 s for one line',
  expected: [/^run (completed|cancelled)$/, /^attempt (completed|cancelled)\b/, /^call cancelled$/],
  required: /^call timeout$/,
  start: (site) =>
    startHostileRun(site, {
      slug: 'search-patterns',
      cases: CASES[site.scale],
      version: { tool_policy: { allowed_tool_kinds: ['file'] } },
      agents: [
        {
          name: 'searcher',
          config: {
            steps: [
              {
                call: { name: 'write_file', arguments: { path: 'line.txt', content: letters(LINE_LENGTH) } },
              },
              ...Array.from({ length: CALLS[site.scale] }, () => ({
                call: { name: 'search_text', arguments: { pattern: PATTERN, path: 'line.txt' } },
              })),
              { answer: 'done' },
            ],
          },
        },
      ],
    }),
};
