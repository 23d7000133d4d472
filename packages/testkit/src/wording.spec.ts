import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';

const bootstrap = path.resolve(import.meta.dirname, '../../../infra/bootstrap');
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface Wording {
  notYetClean?: string[];
  exceptions?: { path: string; word: string; reason: string }[];
}

function repository(files: Record<string, string>, wording?: Wording): string {
  const root = mkdtempSync(path.join(tmpdir(), 'agentclash-wording-'));
  folders.push(root);
  const all = { ...files, ...(wording && { 'infra/lint/wording.json': JSON.stringify(wording) }) };
  for (const [file, content] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
  return root;
}

function run(script: string, ...args: string[]): { exitCode: number | null; violations: string[] } {
  const { status, stderr } = spawnSync(process.execPath, [path.join(bootstrap, script), ...args], {
    encoding: 'utf8',
  });
  return { exitCode: status, violations: stderr.split('\n').filter(Boolean) };
}

/** The violations of a file `packages/a/src/a.ts` (or `name`) of this text. */
function check(text: string, name = 'packages/a/src/a.ts'): string[] {
  return run('check-wording.mjs', '--root', repository({ [name]: text }), 'packages/a').violations;
}

describe('the deny-list of words', () => {
  test.each([
    ['an identifier, split at its capitals', 'export const heldByNobody = 1;\n', 'nobody'],
    ['a constant in capitals', 'export const TOOL_DESK = 1;\n', 'desk'],
    ['a comment', '/** Starts the bus anew. */\n', 'anew'],
    ['a string', "log.info('the vault is away');\n", 'is away'],
    ['a phrase across camelCase', 'const givenUpMessages = 1;\n', 'given up'],
    ['a test title', "test('whoever calls twice gets one run', run);\n", 'whoever'],
  ])('the deny-list finds a word in %s and names the term to use', (_where, text, word) => {
    const term = expect.stringMatching(new RegExp(`^packages/a/src/a\\.ts:1 {2}${word} → use .+`));
    expect(check(text)).toEqual([term]);
  });

  test('the deny-list finds a refusal in an identifier, but not in prose and not in the field of a pack', () => {
    const text = '/** A refusal. */\nfunction refusalOf(expected_refusal_pattern: string) {}\n';
    expect(check(text).map((line) => line.split(' → ')[0])).toEqual(['packages/a/src/a.ts:2  refusal']);
  });

  test('the deny-list finds a nudge, but not in the names of columns', () => {
    const text =
      'const nudges = 1;\n// It is nudged again.\nsql`SET nudged_at = now(), nudge = nudge + 1`;\n';
    const found = check(text).map((line) => line.split(' → ')[0]);
    expect(found).toEqual(['packages/a/src/a.ts:1  nudges', 'packages/a/src/a.ts:2  nudged']);
  });

  test('the deny-list finds things that stand for another or somewhere, but not the standings of a race', () => {
    const text = "// It stands for a name.\nconst text = 'a value may stand in it';\nconst standings = 1;\n";
    const found = check(text).map((line) => line.split(' → ')[0]);
    expect(found).toEqual(['packages/a/src/a.ts:1  stands', 'packages/a/src/a.ts:2  stand']);
  });

  test.each([
    ['a doc comment', '/** What it costs. */\n', 'What'],
    ['a line comment', '// Whether it is over.\n', 'Whether'],
    ['a comment behind code', 'run(); // What is left.\n', 'What'],
    ['a later line of a comment', '/*\n * Ends it.\n * What is left is removed.\n */\n', 'What'],
  ])('the deny-list finds %s that begins with a clause in the place of a noun', (_where, text, word) => {
    expect(check(text)).toEqual([
      expect.stringMatching(new RegExp(`^packages/a/src/a\\.ts:\\d {2}${word} → use .+`)),
    ]);
  });

  test('the deny-list finds such a beginning in the comments of Dockerfiles, SQL and C, but not in documents', () => {
    const found = (name: string, text: string) => check(text, name).map((line) => line.split(' → ')[0]);
    expect(found('packages/a/Dockerfile', '# What builds.\nFROM a\n')).toEqual([
      'packages/a/Dockerfile:1  What',
    ]);
    expect(found('packages/a/a.sql', '-- Whether it is over.\n')).toEqual(['packages/a/a.sql:1  Whether']);
    expect(found('packages/a/a.c', '/* What it reads. */\n')).toEqual(['packages/a/a.c:1  What']);
    expect(found('packages/a/README.md', '# What it is for\n')).toEqual([]);
  });

  test('the deny-list permits What and Whether within a comment and in code', () => {
    const text = "/** Shows what is left. Whether it ran is known. */\nconst What = 'What';\n";
    expect(check(text)).toEqual([]);
  });

  test('the deny-list finds a word in the name of a file and of a folder', () => {
    const at = 'packages/a/src/kitchen/tool-desk.ts';
    const found = check('export const x = 1;\n', at).map((line) => line.split(' → ')[0]);
    expect(found.sort()).toEqual([`${at}  desk`, `${at}  kitchen`]);
  });

  test.each(['a.yaml', 'a.yml', 'a.conf', 'Dockerfile', 'Dockerfile.web'])(
    'the deny-list checks the comments of %s, but not its keys and data',
    (name) => {
      const at = `packages/a/${name}`;
      const text = "desk: 'desk#1'\n# Starts anew.\ndescription: data of a desk\n";
      const found = check(text, at).map((line) => line.split(' → ')[0]);
      expect(found).toEqual([`${at}:2  anew`]);
    },
  );

  test('the deny-list checks the comments of SQL files and all lines of text files, but no applied migration', () => {
    const sql = "SELECT 'desk';\n-- Starts anew.\n";
    const found = (name: string, text: string) => check(text, name).map((line) => line.split(' → ')[0]);
    expect(found('packages/a/roles.sql', sql)).toEqual(['packages/a/roles.sql:2  anew']);
    expect(found('packages/a/prisma/migrations/1/migration.sql', sql)).toEqual([]);
    expect(found('packages/a/golden.txt', 'x\nStarts anew.\n')).toEqual(['packages/a/golden.txt:2  anew']);
  });

  test('the deny-list checks the descriptions of the YAML files of infra', () => {
    const root = repository({ 'infra/alerts.yaml': 'desk: 1\nsummary: "It starts anew"\n' });
    const { violations } = run('check-wording.mjs', '--root', root, 'infra');
    expect(violations).toEqual([expect.stringMatching(/^infra\/alerts\.yaml:2 {2}anew → /)]);
  });

  test('the deny-list finds a word in a document', () => {
    const [found] = check('# A guide\n\nIt tells the caller.\n', 'packages/a/README.md');
    expect(found).toContain('packages/a/README.md:3  tells → use report');
  });

  test('the deny-list permits longer words and terms of the field', () => {
    expect(
      check('// The default is replaced; fault injection prints "hello, world" to a third-party.\n'),
    ).toEqual([]);
  });

  test('the deny-list denies words that are plain in prose only in identifiers', () => {
    expect(check("// In place of that, this means 'a place'.\nconst b = 'means';\n")).toEqual([]);
    expect(check('const placeOf = (means: string) => means;\n')).toHaveLength(3);
  });

  test('the deny-list does not check generated and built files', () => {
    const files = { 'packages/a/src/generated/a.ts': 'anew', 'packages/a/dist/a.js': 'anew' };
    expect(run('check-wording.mjs', '--root', repository(files), 'packages/a').violations).toEqual([]);
  });
});

describe('the linter', () => {
  const files = { 'packages/a/src/a.ts': '// anew\n', 'packages/b/src/b.ts': '// anew\n' };
  const notYetClean = ['packages/b'];
  const exception = { path: 'packages/a/src/a.ts', word: 'anew', reason: 'a quotation' };

  test('the linter checks the words of every folder, a new one and the root included, but of those not yet clean', () => {
    const added = { ...files, 'new/b.ts': '// anew\n', 'README.md': 'It starts anew.\n' };
    const { exitCode, violations } = run('check-rules.mjs', repository(added, { notYetClean }));
    expect(violations.sort()).toEqual([
      'README.md:1  anew → use again',
      'new/b.ts:1  anew → use again',
      'packages/a/src/a.ts:1  anew → use again',
    ]);
    expect(exitCode).toBe(1);
  });

  test('the linter accepts exact exceptions', () => {
    const root = repository(files, { notYetClean, exceptions: [exception] });
    expect(run('check-rules.mjs', root)).toEqual({ exitCode: 0, violations: [] });
  });

  test('the linter reports an exception that nothing needs', () => {
    const exceptions = [exception, { ...exception, word: 'desk' }];
    const root = repository(files, { notYetClean, exceptions });
    expect(run('check-rules.mjs', root).violations).toEqual([
      'infra/lint/wording.json  "desk" in packages/a/src/a.ts needs no exception any more',
    ]);
  });

  test('the linter reports a folder that has become clean and is still left out', () => {
    const root = repository(
      { ...files, 'packages/b/src/b.ts': '' },
      { notYetClean, exceptions: [exception] },
    );
    expect(run('check-rules.mjs', root).violations).toEqual([
      'infra/lint/wording.json  packages/b holds no denied word any more: delete its line of notYetClean',
    ]);
  });

  test('the linter reports a folder that does not exist and an exception without a reason', () => {
    const exceptions = [{ ...exception, reason: ' ' }];
    const root = repository(files, { notYetClean: [...notYetClean, 'packages/z'], exceptions });
    expect(run('check-rules.mjs', root).violations).toEqual([
      'infra/lint/wording.json  packages/z does not exist',
      'infra/lint/wording.json  the exception of "anew" in packages/a/src/a.ts has no reason',
    ]);
  });

  test('the linter finds no denied word in this repository', () => {
    expect(run('check-wording.mjs')).toEqual({ exitCode: 0, violations: [] });
  });
});
