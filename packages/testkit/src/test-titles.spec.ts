import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';

const checker = path.resolve(import.meta.dirname, '../../../infra/bootstrap/check-rules.mjs');
const SPEC = 'packages/bus/src/a.spec.ts';
const root = mkdtempSync(path.join(tmpdir(), 'agentclash-titles-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The violations of a spec with these lines, without the path of the spec. */
function check(...lines: string[]): string[] {
  mkdirSync(path.join(root, path.dirname(SPEC)), { recursive: true });
  writeFileSync(path.join(root, 'packages/bus/package.json'), '{"name": "@agentclash/bus"}');
  writeFileSync(path.join(root, SPEC), lines.join('\n'));
  const { stderr } = spawnSync(process.execPath, [checker, root], { encoding: 'utf8' });
  return stderr
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replace(`${SPEC}:`, ''));
}

const passing = '() => expect(1).toBe(1));';
const titled = (titles: string[]) => titles.map((title) => `test(${JSON.stringify(title)}, ${passing}`);
const PLACEHOLDER = 'is a bare placeholder: write a sentence around it';
const SHORT = 'is no sentence: write a subject and a verb';

describe('the rule of test titles', () => {
  test('the rule accepts sentences with a subject', () => {
    const sentences = [
      'a run is cancelled once',
      'reports of a run are read page by page',
      'names that begin alike are distinguished',
      'runs with fewer slots go first',
      'retry --only %j is refused',
      '%s is refused as an upload',
      'Ctrl-C restores the cursor',
      'in a clone the command runs with its own Node.js',
      'as a user, a viewer reads a run',
      'this release reads the others',
      'always-on runs are listed',
      'the title has a "quote"',
    ];
    expect(check(...titled(sentences))).toEqual([]);
  });

  test.each([
    ['%s', PLACEHOLDER],
    ['%j: %s', PLACEHOLDER],
    ['$name ($value.size)', PLACEHOLDER],
    ['"%s" …', PLACEHOLDER],
    ['', PLACEHOLDER],
    ['refunds %s', SHORT],
    ['trust', SHORT],
    ['is refused from its deadline on', 'begins with "is": begin with a subject'],
    ['That is absent or short', 'begins with "That": begin with a subject'],
    ['of %s ends with a reason', 'begins with "of": begin with a subject'],
    ['cannot be read twice', 'begins with "cannot": begin with a subject'],
    ['never opens a connection', 'begins with "never": begin with a subject'],
    ['keeps old keys', 'begins with "keeps": begin with a subject'],
    ['and so are the names', 'begins with "and": begin with a subject'],
    ['reports the problem of a file', 'begins with "reports": begin with a subject'],
    ['names every variable at once', 'begins with "names": begin with a subject'],
    ['counts no other run', 'begins with "counts": begin with a subject'],
    ['pages a list by cursor', 'begins with "pages": begin with a subject'],
  ])('the rule refuses the title "%s", which %s', (title, problem) => {
    expect(check(...titled([title]))).toEqual([`1  the title "${title}" ${problem}`]);
  });

  test('the rule reads the title of every form of a test, and nothing else', () => {
    const other = [
      'declare const title: string;',
      `test(title, ${passing}`,
      `test(\`\${title} is refused\`, ${passing}`,
      `describe('keeps', () => undefined);`,
      `export const isFound = /x/.test('is not a title');`,
    ];
    expect(check(...other)).toEqual([]);

    const at = (line: number, title: string) => `${line}  the title "${title}" ${SHORT}`;
    const forms = [
      `it('a', ${passing}`,
      `test.each([1])('n %d', ${passing}`,
      `test.each([\n  1,\n])(\n  'c',\n  ${passing.slice(0, -2)},\n);`,
      `(title ? test : test.skip)('d', ${passing}`,
      `test.skip('e', ${passing}`,
      `test.todo('f');`,
      `test(\`g \${title}\`, ${passing}`,
      `test(\`\${title}\`, ${passing}`,
    ];
    expect(check(...forms)).toEqual([
      at(1, 'a'),
      at(2, 'n %d'),
      at(6, 'c'),
      at(9, 'd'),
      at(10, 'e'),
      at(11, 'f'),
      at(12, 'g ${}'),
      `13  the title "\${}" ${PLACEHOLDER}`,
    ]);
  });
});
