import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const guide = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/audit.md'), 'utf8');
const packs = readdirSync(path.resolve(import.meta.dirname, '../testing/bad-packs'));
const AGENTS_WITHOUT_WORK = ['idle', 'echo', 'blank'];

/** The codes that the checks write as literals. */
function codesOfChecks(): string[] {
  const files = readdirSync(import.meta.dirname).filter(
    (name) => name.endsWith('.ts') && !name.includes('.spec.'),
  );
  const codes = files.flatMap((name) => {
    const source = readFileSync(path.join(import.meta.dirname, name), 'utf8');
    return [...source.matchAll(/\bcode: ['`]([^'`]+)['`]/g)].map(([, code = '']) => code);
  });
  const written = codes.flatMap((code) =>
    code.includes('${') ? AGENTS_WITHOUT_WORK.map((agent) => code.replace('${reference}', agent)) : [code],
  );
  return [...new Set(written)].sort();
}

test('The guide lists every code of a finding with its meaning, and those of the document that are errors.', () => {
  const table = guide.slice(
    guide.indexOf('| Finding | Severity |'),
    guide.indexOf('Packs that are bad on purpose'),
  );
  const listed = table.split('\n').flatMap((row) => (row.split('|')[1] ?? '').match(/`\w+`/g) ?? []);
  const errors = ['visible_expectation', 'same_expectation', 'contradicting_cases', 'static'];
  const expected = [...codesOfChecks(), ...errors].map((code) => `\`${code}\``);
  expect(listed.sort()).toEqual(expected.sort());
});

test('The guide lists every pack that is bad on purpose.', () => {
  const listed = [...guide.matchAll(/^\| `([\w-]+\.yaml)` \|/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(packs.sort());
});
