import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const repository = path.resolve(import.meta.dirname, '../../..');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'agentclash-vectors-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs files by their names and contents, as a package script does that was called in their folder. */
function vectors(files: Record<string, string>): { exitCode: number | null; out: string; err: string } {
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const hooks = './packages/testkit/src/jest/typescript.mjs';
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--no-warnings',
      '--conditions=agentclash-source',
      '--import',
      hooks,
      'packages/vectors/src/main.ts',
    ].concat(Object.keys(files)),
    { cwd: repository, env: { ...process.env, INIT_CWD: folder }, encoding: 'utf8' },
  );
  return { exitCode: status, out: stdout, err: stderr };
}

const holm = (id: string, adjusted: number) =>
  `vectors:\n- {id: ${id}, kind: holm, p: [0.5], want: {adjusted: [${adjusted}]}}\n`;

const pack = `
base: |
  pack: {slug: a, name: A, family: f}
cases:
- {id: seen, expect: {valid: false, problems: [{code: required, field: version}, {code: required, field: challenges}], warnings: [{code: no_input_sets, field: input_sets}]}}
- {id: missed, expect: {valid: true}}
`;

describe('pnpm vectors', () => {
  test('the command runs files of any name and of several formats, recognised by their contents', () => {
    const arguments_ = 'vectors: [{id: new-1, schema: {type: object}, args: {a: 1}, expect: {ok: true}}]';
    const mixed = `${holm('h1', 0.5)}- {id: t, kind: validator, type: exact_match, actual: a, expected: a, want: {verdict: pass, score: 1}}\n`;
    const ran = vectors({ 'my-scoring.yaml': mixed, 'x.json': arguments_ });
    expect(ran).toEqual({ exitCode: 0, out: '3 passed, 0 failed\n', err: '' });
  });

  test('the command names each failing vector with the expected and the actual result, and exits 1', () => {
    const { exitCode, out } = vectors({ 'packs.yaml': pack, 'wrong.yaml': holm('h2', 0.25) });
    expect(exitCode).toBe(1);
    expect(out).toMatch(/^FAIL packs.yaml missed \(challenge packs\)$/m);
    expect(out).toContain('+   "version required",');
    expect(out).toMatch(/^FAIL wrong.yaml h2 \(paired comparison\)\n {2}.*0.5 is not near 0.25/m);
    expect(out).toMatch(/\n1 passed, 2 failed\n$/);
  });

  test('the command rejects a file without vectors, of an unknown format, or that does not exist, and exits 2', () => {
    const { exitCode, out, err } = vectors({
      'list.yaml': '[1]',
      'odd.yaml': 'vectors: [{id: o1, kind: tarot}]',
      'empty.yaml': 'vectors: []',
      'broken.yaml': 'a: [',
      'ids.yaml': 'vectors: [{kind: holm}]',
      'fine.yaml': holm('h3', 0.5),
    });
    expect(exitCode).toBe(2);
    expect(out).toBe('1 passed, 0 failed\n');
    expect(err.split('\n')).toEqual([
      'error list.yaml: is no map with a list of vectors',
      'error odd.yaml: o1 is of no known format (kind tarot)',
      'error empty.yaml: holds no vectors',
      expect.stringContaining('error broken.yaml: '),
      'error ids.yaml: entry 0 has no id',
      '',
    ]);
  });
});
