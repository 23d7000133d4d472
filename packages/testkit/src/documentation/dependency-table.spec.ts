import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { repository } from './documents.js';

const RULES = pathToFileURL(path.join(repository, 'infra/bootstrap/rules/dependency-table.mjs')).href;

test('The table of dependencies in docs/architecture.md is the one that lint enforces.', async () => {
  const { MAY_DEPEND_ON }: { MAY_DEPEND_ON: Record<string, string[]> } = await import(RULES);
  const page = readFileSync(path.join(repository, 'docs/architecture.md'), 'utf8');
  const [, section = ''] = page.split('## Who may depend on whom');
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  expect(rows).toEqual(
    Object.entries(MAY_DEPEND_ON).map(([name, targets]) => {
      const listed = targets.map((target) => `\`${target}\``).join(', ');
      return `| \`${name}\` | ${listed || 'nothing'} |`;
    }),
  );
});
