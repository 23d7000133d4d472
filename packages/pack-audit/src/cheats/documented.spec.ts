import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { CHEAT_FAMILIES } from './cheats.js';

const guide = path.resolve(import.meta.dirname, '../../../../docs/audit.md');

test('The guide lists every family of cheats with its keys and its fix.', () => {
  const table = CHEAT_FAMILIES.map(({ name, fix, cheats }) => {
    const keys = cheats.map(({ key }) => `\`${key}\``).join(', ');
    return `| ${name} | ${fix} | ${keys} |`;
  });
  const lines = readFileSync(guide, 'utf8').split('\n');
  const start = lines.indexOf('| Family | Fix | Cheats |');
  expect(lines.slice(start + 2, start + 2 + table.length)).toEqual(table);
  expect(lines[start + 2 + table.length]).toBe('');
});
