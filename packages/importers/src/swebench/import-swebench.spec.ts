import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { parse } from 'yaml';
import { ImportError } from '../framework/import-error.js';
import { importPack } from '../import-pack.js';
import { imported, importProblems } from '../testing/imported.js';
import { memorySource } from '../testing/memory-source.js';

const PATCH = '--- a/sums.py\n+++ b/sums.py\n@@ -1 +1 @@\n-return 1\n+return {{2}}\n';
const INSTANCE = {
  instance_id: 'org__sums-1',
  repo: 'org/sums',
  base_commit: 'abc123',
  problem_statement: 'The sum {{is}} wrong.',
  patch: PATCH,
  test_patch: '--- a/test_sums.py\n+++ b/test_sums.py\n@@ -1 +1 @@\n-old\n+new\n',
  FAIL_TO_PASS: '["test_sums.py::test_two"]',
  PASS_TO_PASS: ['test_sums.py::test_one'],
  version: '1.0',
  hints_text: 'look at sums.py',
};
const SNAPSHOT = 'snapshots/org__sums-1.tar.gz';

const WHOLE = { includeUnrunnable: 'true' };

const source = (rows: readonly object[], more: Record<string, string | Uint8Array> = {}) =>
  memorySource({ 'tasks.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'), ...more }, 'tasks.jsonl');

describe('an import of SWE-bench', () => {
  test('the issue is for the agent, the tests for the grader, and the patch for the solution and the oracle alone', async () => {
    const { cases, files, fates, warnings } = await imported(
      'swebench',
      source([INSTANCE], { [SNAPSHOT]: 'tar' }),
    );
    expect(warnings).toEqual([]);
    expect(cases).toEqual([
      expect.objectContaining({
        case_key: 'org__sums-1',
        payload: {
          instance_id: 'org__sums-1',
          repo: 'org/sums',
          base_commit: 'abc123',
          problem_statement: 'The sum {{is}} wrong.',
        },
        artifacts: [{ key: 'snapshot.tar.gz' }],
        grader_files: ['test.patch', 'instance.json', 'snapshot.tar.gz'].map((name) => ({
          artifact_key: name,
          path: name,
        })),
        solution: {
          files: [{ path: '/tmp/solution.patch', asset: 'solution.patch' }],
          run: 'mkdir -p repo && tar -xzf snapshots/org__sums-1.tar.gz -C repo && patch -p1 -d repo < /tmp/solution.patch',
        },
      }),
    ]);
    expect(JSON.parse(files.get('instances/org__sums-1/instance.json') as string)).toEqual({
      fail_to_pass: ['test_sums.py::test_two'],
      pass_to_pass: ['test_sums.py::test_one'],
    });
    expect(files.get(SNAPSHOT)).toEqual(Buffer.from('tar'));
    const holders = [...files].filter(([, content]) =>
      String(content).includes(Buffer.from(PATCH).toString('base64')),
    );
    expect(holders.map(([name]) => name)).toEqual(['deployments.yaml']);
    const patched = [...files].filter(([, content]) => String(content).includes(PATCH));
    expect(patched.map(([name]) => name)).toEqual(['instances/org__sums-1/solution.patch']);
    expect(fates.filter((fate) => !fate.startsWith('carried'))).toEqual([
      'dropped version',
      'dropped hints_text',
    ]);
  });

  test('an instance without its repository is left out, and its report names the file to provide', async () => {
    const two = source([INSTANCE, { ...INSTANCE, instance_id: 'org__sums-2' }], { [SNAPSHOT]: 'tar' });
    const { pack, report, files } = await imported('swebench', two);
    const setsOf = (input: typeof pack) =>
      input.input_sets.map(({ key, cases = [] }) => [key, cases.map(({ case_key }) => case_key)]);
    expect(setsOf(pack)).toEqual([['runnable', ['org__sums-1']]]);
    expect(report.items).toContainEqual({
      where: 'tasks.jsonl',
      key: 'org__sums-2',
      fate: 'dropped',
      reason: expect.stringMatching(/^left out of the pack: .*snapshots\/org__sums-2\.tar\.gz/),
    });
    expect([...files.keys()].filter((name) => name.includes('org__sums-2'))).toEqual([]);
    expect(files.get('deployments.yaml')).not.toContain('org__sums-2');
    expect(files.get('README.md')).toContain('| org/sums | abc123 | snapshots/org__sums-2.tar.gz |');
    const whole = await imported('swebench', two, WHOLE);
    expect(setsOf(whole.pack)).toEqual([
      ['runnable', ['org__sums-1']],
      ['all', ['org__sums-1', 'org__sums-2']],
    ]);
  });

  test('only the named instances are imported, and an unknown name is a problem', async () => {
    const rows = [INSTANCE, { ...INSTANCE, instance_id: 'second' }];
    const { cases, fates } = await imported('swebench', source(rows), { ...WHOLE, instances: 'second' });
    expect(cases.map(({ case_key }) => case_key)).toEqual(['second']);
    expect(fates).toContain('dropped instances');
    expect(await importProblems('swebench', source(rows), { instances: 'second,third' })).toEqual([
      { file: 'tasks.jsonl', message: 'there is no instance third' },
    ]);
  });

  test('instances whose tests another runner names are not runnable', async () => {
    const django = { ...INSTANCE, FAIL_TO_PASS: ['test_two (sums.tests.Sums)'] };
    const instances = source([django], { [SNAPSHOT]: 'tar' });
    expect(await importProblems('swebench', instances)).toEqual([
      { message: 'none of the tasks can run here' },
      { message: expect.stringContaining('org__sums-1: names of another test runner') },
    ]);
    const { fates, pack } = await imported('swebench', instances, WHOLE);
    expect(fates).toContain('dropped FAIL_TO_PASS');
    expect(pack.input_sets.map(({ key }) => key)).toEqual(['all']);
  });

  test('every instance with a patch has a solution, and the oracle steps for it', async () => {
    const { files, cases } = await imported(
      'swebench',
      source([INSTANCE, { ...INSTANCE, instance_id: 'x', patch: '' }]),
      WHOLE,
    );
    const { deployments } = parse(files.get('deployments.yaml') as string);
    expect(Object.keys(deployments[0].config.by_case)).toEqual(['org__sums-1']);
    expect(cases.map(({ solution }) => solution !== undefined)).toEqual([true, false]);
    expect(deployments[1]).toMatchObject({ kind: 'scripted', config: { steps: [] } });
  });

  test('a folder with one file of instances, as a JSON list too, is read', async () => {
    const folder = memorySource({ 'tasks.json': JSON.stringify([INSTANCE]), [SNAPSHOT]: 'tar' });
    expect((await imported('swebench', folder)).cases).toHaveLength(1);
    const both = memorySource({ 'a.json': '[]', 'b.jsonl': '' });
    expect(await importProblems('swebench', both)).toEqual([
      expect.objectContaining({ message: expect.stringContaining('a.json, b.jsonl') }),
    ]);
  });

  test.each([
    [{ instance_id: '../../x' }, 'instance_id'],
    [{ problem_statement: '' }, 'problem_statement'],
    [{ repo: 7 }, 'repo'],
    [{ FAIL_TO_PASS: '[' }, 'FAIL_TO_PASS'],
    [{ FAIL_TO_PASS: [] }, 'FAIL_TO_PASS'],
    [{ PASS_TO_PASS: { a: 1 } }, 'PASS_TO_PASS'],
    [{ test_patch: 'not a patch' }, 'test_patch'],
    [{ test_patch: '@@ -1 +1 @@\n-old\n+new\n' }, 'test_patch'],
    [{ test_patch: INSTANCE.test_patch.replace('b/test_sums.py', 'b/../../etc/x') }, 'test_patch'],
    [{ test_patch: INSTANCE.test_patch.replace('b/test_sums.py', '/etc/x') }, 'test_patch'],
    [{ test_patch: 'diff --git a/x b/../x\nnew file mode 100644\n' }, 'test_patch'],
    [{ patch: 'garbage' }, 'patch'],
    [{ patch: 'diff --git a/x b/y\nrename from x\nrename to ../y\n' }, 'patch'],
    [{ base_commit: 'zz' }, 'base_commit'],
    [{ repo: '../b' }, 'repo'],
    [{ repo: 'sums' }, 'repo'],
  ])('the wrong member %j is a problem with row, line and field', async (change, field) => {
    const rows = [INSTANCE, { ...INSTANCE, instance_id: 'second', ...change }];
    expect(await importProblems('swebench', source(rows))).toEqual([
      expect.objectContaining({ file: 'tasks.jsonl', row: 2, line: 2, field }),
    ]);
  });

  test('new, deleted, renamed and binary files are parts of a patch', async () => {
    const test_patch = [
      'diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+++ ../y\n\\ No newline at end of file\n',
      'diff --git a/y b/y\n--- a/y\n+++ /dev/null\n@@ -1,2 +0,0 @@ def f(a):\n--- /etc/x\n-b\n',
      'diff --git a/img.png b/img.png\nindex 1..2 100644\nBinary files a/img.png and b/img.png differ\n',
      'diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n',
    ].join('');
    const { cases } = await imported('swebench', source([{ ...INSTANCE, test_patch }]), WHOLE);
    expect(cases).toHaveLength(1);
  });

  test('a Parquet file gives the same cases as JSON lines', async () => {
    const rows = [INSTANCE, { ...INSTANCE, instance_id: 'second' }].map((row) => ({
      ...row,
      PASS_TO_PASS: JSON.stringify(row.PASS_TO_PASS),
    }));
    const columnData = Object.keys(INSTANCE).map((name) => ({
      name,
      data: rows.map((row) => row[name as keyof typeof INSTANCE]),
    }));
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData }));
    const parquet = await imported(
      'swebench',
      memorySource({ 'tasks.parquet': bytes }, 'tasks.parquet'),
      WHOLE,
    );
    const lines = await imported('swebench', source(rows), WHOLE);
    expect(parquet.cases).toEqual(lines.cases);
    expect(parquet.fates).toEqual(lines.fates);
  });

  test('damaged Parquet is a problem with the file', async () => {
    const bytes = new Uint8Array(
      parquetWriteBuffer({ columnData: [{ name: 'instance_id', data: ['a', 'b'] }] }),
    );
    const damaged = fc
      .array(fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 })), {
        minLength: 1,
        maxLength: 4,
      })
      .map((changes) => {
        const copy = Uint8Array.from(bytes);
        for (const [at, value] of changes) copy[at] = value;
        return copy;
      });
    await fc.assert(
      fc.asyncProperty(damaged, async (content) => {
        const problems = await importProblems(
          'swebench',
          memorySource({ 'a.parquet': content }, 'a.parquet'),
        );
        expect(problems[0]).toMatchObject({ file: 'a.parquet' });
      }),
    );
  });

  test('instances that do not fit into one pack are refused with the option that chooses some', async () => {
    const rows = Array.from({ length: 300 }, (_each, index) => ({
      ...INSTANCE,
      instance_id: `org__sums-${index}`,
      problem_statement: 'wrong '.repeat(700),
    }));
    const failure = await importPack('swebench', source(rows), WHOLE).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      problems: [{ file: 'tasks.jsonl', message: 'the pack: the document has more than 1.0 MiB' }],
      hint: expect.stringContaining('--instances'),
    });
    const chosen = { ...WHOLE, instances: 'org__sums-7,org__sums-8' };
    expect((await imported('swebench', source(rows), chosen)).cases).toHaveLength(2);
  });

  test('an instance that occurs twice is refused', async () => {
    expect(await importProblems('swebench', source([INSTANCE, INSTANCE]))).toEqual([
      expect.objectContaining({ row: 2, field: 'instance_id', message: 'the id is repeated' }),
    ]);
  });

  test('arbitrary rows are imported, or have a problem with a file', async () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.array(fc.string(), { maxLength: 2 }),
      fc.json(),
    );
    const row = fc.record(
      Object.fromEntries(
        Object.keys(INSTANCE).map((key) => [
          key,
          fc.oneof(
            { weight: 1, arbitrary: value },
            { weight: 4, arbitrary: fc.constant(INSTANCE[key as keyof typeof INSTANCE] as unknown) },
          ),
        ]),
      ),
      {
        requiredKeys: [],
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 3 }), async (rows) => {
        const error = await importPack('swebench', source(rows), WHOLE).catch((caught: unknown) => caught);
        if (error instanceof Error) expect(error).toBeInstanceOf(ImportError);
      }),
      { numRuns: 200 },
    );
  });
});
