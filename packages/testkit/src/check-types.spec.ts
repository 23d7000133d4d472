import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const checker = path.resolve(import.meta.dirname, '../../../infra/bootstrap/check-types.mjs');
const root = mkdtempSync(path.join(tmpdir(), 'agentclash-types-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A project with a single statement. */
function project(name: string, statement: string): string {
  const folder = path.join(root, name);
  mkdirSync(folder);
  const compilerOptions = { noEmit: true, noLib: true, types: [], strict: true };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['a.ts'] }));
  writeFileSync(path.join(folder, 'a.ts'), statement);
  return folder;
}

function check(...projects: string[]): { exitCode: number | null; errors: string[] } {
  const { status, stdout } = spawnSync(process.execPath, [checker, ...projects], { encoding: 'utf8' });
  const errors = stdout
    .split('\n')
    .flatMap((line) => /([\w-]+\/a\.ts)\S* ?.* error TS2322/.exec(line)?.[1] ?? []);
  return { exitCode: status, errors };
}

/** Types that the compiler requires without its library. */
const GLOBALS = [
  'Array<T>',
  'Boolean',
  'CallableFunction',
  'Function',
  'IArguments',
  'NewableFunction',
  'Number',
  'Object',
  'RegExp',
  'String',
]
  .map((name) => `interface ${name} {}`)
  .join('\n');

test('the check of types reports the errors of every project and fails when any has one', () => {
  const first = project('first', `${GLOBALS}\nconst text: string = 1;\n`);
  const second = project('second', `${GLOBALS}\nconst figure: number = '1';\n`);
  const clean = project('clean', `${GLOBALS}\nconst figure: number = 1;\n`);
  expect(check(first, second, clean)).toEqual({ exitCode: 1, errors: ['first/a.ts', 'second/a.ts'] });
  expect(check(clean)).toEqual({ exitCode: 0, errors: [] });
}, 60_000);
