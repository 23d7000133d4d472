import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ScriptStep } from '@agentclash/attempt-plan';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Solution } from '../references/solution.js';
import { LANGUAGES } from './code/languages/languages.js';
import { parseAll } from './code/syntax/parse.js';
import { mutantsOf } from './mutants.js';
import { solutionOfFiles, solutionWith } from './testing/solutions.js';

/** A program of this folder as a solution: TypeScript as it is written. */
const program = readFileSync(path.join(import.meta.dirname, 'parts.ts'), 'utf8');

describe('mutants of a solution', () => {
  test('each mutant differs from the solution in one spot, and from every other mutant', async () => {
    const solution = solutionOfFiles({ 'a.ts': program });
    const texts = (await mutantsOf(solution)).map((mutant) => textOf(mutant.planted()));
    expect(texts.length).toBeGreaterThan(100);
    expect(new Set([...texts, program]).size).toBe(texts.length + 1);
    expect(textOf(solution)).toBe(program);
  });

  test('the mutants of a program are programs', async () => {
    const mutants = await mutantsOf(solutionOfFiles({ 'a.ts': program }));
    const texts = [program, ...mutants.map((mutant) => textOf(mutant.planted()))];
    const sources = texts.map((text) => ({ grammar: 'typescript', text }));
    const [own, ...others] = await parseAll(sources);
    expect(own?.isBroken).toBe(false);
    expect(mutants.filter((_, index) => others[index]?.isBroken !== false).map(({ diff }) => diff)).toEqual(
      [],
    );
  });

  test('the mutants are the same at every call', async () => {
    const shown = async () =>
      (await mutantsOf(solutionOfFiles({ 'a.ts': program }))).map(({ planted: _, ...rest }) => rest);
    expect(await shown()).toEqual(await shown());
  });

  test('the mutants of JSON are JSON', async () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const documents = fc.oneof(
      fc.array(value, { minLength: 1 }),
      fc.dictionary(fc.string(), value, { minKeys: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(documents, fc.nat(2), async (value, indent) => {
        const source = JSON.stringify(value, null, indent);
        for (const mutant of await mutantsOf(solutionOfFiles({ 'a.json': source }))) {
          const text = textOf(mutant.planted());
          expect(() => JSON.parse(text)).not.toThrow();
        }
      }),
      { numRuns: 200 },
    );
  });

  test('the mutants of YAML are YAML', async () => {
    const source = 'a: 1\nb:\n  - x: "yes"\n    y: 2\n  - [1, 2]\nc:\n  d: e\n  f: no\n';
    const mutants = await mutantsOf(solutionOfFiles({ 'a.yaml': source }));
    expect(mutants.length).toBeGreaterThan(5);
    for (const mutant of mutants) {
      expect(parse(textOf(mutant.planted()))).not.toEqual(parse(source));
    }
  });

  test('any text has mutants without an error, each with a line and a diff', async () => {
    const name = fc.constantFrom('a.py', 'a.js', 'a.sh', 'a.go', 'a.rs', 'a.csv', 'a.yaml', 'a.txt');
    const words = fc.array(fc.oneof(fc.string(), fc.constantFrom('\n', 'if ', '1 < 2', '(', '"x"', ' - a')));
    const files = fc.array(fc.tuple(name, words), { minLength: 50, maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(files, async (drawn) => {
        const sources = drawn.map(([path, parts]) => ({ path, text: parts.join('') }));
        for (const { path, text } of sources) {
          for (const { diff, line, planted } of await mutantsOf(solutionOfFiles({ [path]: text }))) {
            expect(textOf(planted())).not.toBe(text);
            expect(line).toBeGreaterThan(0);
            expect(diff).toMatch(/^[-+]/);
          }
        }
      }),
      { numRuns: 5 },
    );
  });

  test('every language has its grammar', async () => {
    const sources = LANGUAGES.map(({ grammar }) => ({ grammar, text: '' }));
    const trees = await parseAll(sources);
    expect(sources.filter((_, index) => trees[index] === undefined)).toEqual([]);
  });
});

describe('the texts of a solution', () => {
  test('files that a script writes, and programs that it runs, are programs of their own', async () => {
    const run = "cat > a.py <<'EOF'\nx = a < b\nEOF\npython3 - <<EOF\ny = not z\nEOF\n";
    const mutants = await mutantsOf(solutionWith({ run }));
    const planted = mutants.map((mutant) => mutant.planted().run);
    expect(planted).toContain(run.replace('a < b', 'a <= b'));
    expect(planted).toContain(run.replace('not z', 'z'));
    expect(mutants.find(({ operator }) => operator === 'comparison_boundary')).toMatchObject({
      path: 'a.py',
      line: 1,
    });
  });

  test('files, commands, graded arguments and outputs of steps have mutants, and other steps stay', async () => {
    const steps: ScriptStep[] = [
      { call: { name: 'write_file', arguments: { path: 'a.py', content: 'x = 0\n' } } },
      { call: { name: 'exec', arguments: { command: 'sort "a"' } } },
      { call: { name: 'refund', arguments: { order: 'A', cents: 500 } } },
      { call: { name: 'look_up', arguments: { order: 'A' } } },
      { call: { name: 'submit', arguments: { answer: '7' } } },
      { message: 'Yes, all 3 of them' },
      { answer: '42' },
    ];
    const mutants = await mutantsOf(solutionWith({ steps }), (name) => name === 'refund');
    const changed = mutants.map(({ planted }) => planted().steps);
    const replaced = (index: number, step: ScriptStep) => steps.with(index, step);
    const calls = (name: string, args: Record<string, string | number>) => ({
      call: { name, arguments: args },
    });
    expect(changed).toContainEqual(replaced(0, calls('write_file', { path: 'a.py', content: 'x = 1\n' })));
    expect(changed).toContainEqual(replaced(1, calls('exec', { command: 'sort ""' })));
    expect(changed).toContainEqual(replaced(2, calls('refund', { order: 'A', cents: 501 })));
    expect(changed).toContainEqual(replaced(4, calls('submit', { answer: '8' })));
    expect(changed).toContainEqual(replaced(5, { message: 'Yes, all 4 of them' }));
    expect(changed).toContainEqual(replaced(6, { answer: '43' }));
    expect(changed.filter((each) => each?.[3] !== steps[3])).toEqual([]);
    expect(JSON.stringify(changed)).not.toContain('No,');
  });

  test('tests beside a program have no mutants, but tests that are all of the solution have', async () => {
    const paths = async (files: Record<string, string>) => [
      ...new Set((await mutantsOf(solutionOfFiles(files))).map(({ path: file }) => file)),
    ];
    expect(await paths({ 'a.py': 'x = 1\n', 'test_a.py': 'x = 1\n' })).toEqual(['a.py']);
    expect(await paths({ 'test_a.py': 'x = 1\n' })).toEqual(['test_a.py']);
  });

  test('bytes that are no text, and texts beyond the limit, have no mutants', async () => {
    const binary = { path: 'a.bin', isExecutable: false, content: Uint8Array.from([0xff, 0xfe, 1]) };
    const long = { path: 'a.py', isExecutable: false, content: Buffer.from('x = 1\n'.repeat(50_000)) };
    expect(await mutantsOf(solutionWith({ files: [binary, long] }))).toEqual([]);
  });

  test('the deepest nesting that fits is parsed or left out, and ends in time', async () => {
    for (const source of ['('.repeat(60_000), `x = ${'['.repeat(30_000)}1${']'.repeat(30_000)}`]) {
      expect(await mutantsOf(solutionOfFiles({ 'a.py': source }))).toBeInstanceOf(Array);
    }
  });
});

function textOf({ files: [file] }: Solution): string {
  return file?.content instanceof Uint8Array ? Buffer.from(file.content).toString() : '';
}
