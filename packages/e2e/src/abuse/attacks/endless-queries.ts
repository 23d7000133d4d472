import type { Attack } from './attack.js';
import { startHostileRun } from './hostile-run.js';

const CASES = { short: 4, whole: 16 } as const;
const CALLS = { short: 1, whole: 2 } as const;

/** Queries that never end, of so many attempts that they wait for each other. */
export const endlessQueries: Attack = {
  summary: 'queries that never end, of 16 attempts at a time',
  expected: [/^run (completed|cancelled)$/, /^attempt (completed|cancelled)\b/, /^call cancelled$/],
  required: /^call timeout$/,
  start: (site) =>
    startHostileRun(site, {
      slug: 'endless-queries',
      cases: CASES[site.scale],
      version: { tool_policy: { allowed_tool_kinds: ['file', 'data'] } },
      agents: [
        {
          name: 'looper',
          config: {
            steps: [
              { call: { name: 'write_file', arguments: { path: 'a.json', content: '{"a": 1}' } } },
              ...Array.from({ length: CALLS[site.scale] }, () => ({
                call: { name: 'query_json', arguments: { file_path: 'a.json', query: 'def f: f; f' } },
              })),
              { answer: 'done' },
            ],
          },
        },
      ],
    }),
};
