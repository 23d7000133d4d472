import type { AttemptPlan, PlannedFile, WorkspaceTool } from '@agentclash/attempt-plan';
import type { JsonObject } from '@agentclash/challengepack';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AttemptHarness, runCalls } from '../testing/attempt-harness.js';

const harness = new AttemptHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

const calls = (steps: [string, JsonObject][], changes: Partial<AttemptPlan> = {}) =>
  runCalls(harness, steps, changes);

const file = (path: string, content: string): PlannedFile => ({ path, content });
const shell = { tool_policy: { allow_shell: true } };

describe('file tools', () => {
  test('file tools return binary content as base64, and parts by byte', async () => {
    const files = [
      { path: 'b', artifact: harness.store.add(Buffer.from([0xff, 0x00, 0x01])) },
      file('t', 'abcdef'),
    ];
    const { read } = await calls(
      [
        ['read_file', { path: 'b' }],
        ['read_file', { path: 't', offset: 2, length: 3 }],
      ],
      { files },
    );
    expect(read).toMatchObject([
      { ok: true, result: { content: '/wAB', encoding: 'base64', bytes: 3 } },
      { ok: true, result: { content: 'cde', bytes: 3 } },
    ]);
  });

  test('file tools skip .git and .agentclash, sort by path, and name files as they can be read', async () => {
    const files = [
      file('b.ts', 'x'),
      file('a/z.ts', 'xx'),
      file('.git/config', 'x'),
      file('.agentclash/x', 'x'),
    ];
    const steps: [string, JsonObject][] = [
      ['list_files', {}],
      ['list_files', { prefix: '/workspace/a' }],
      ['search_files', { pattern: '*.ts' }],
      ['search_files', { pattern: '[!b]*', path: 'a/' }],
    ];
    const { read } = await calls(steps, { files });
    expect(read.map(({ result }) => result)).toEqual([
      {
        prefix: '',
        files: [
          { path: 'a/z.ts', size: 2 },
          { path: 'b.ts', size: 1 },
        ],
      },
      { prefix: '/workspace/a', files: [{ path: '/workspace/a/z.ts', size: 2 }] },
      { pattern: '*.ts', path: '', max_results: 100, files: ['a/z.ts', 'b.ts'] },
      { pattern: '[!b]*', path: 'a/', max_results: 100, files: ['a/z.ts'] },
    ]);
  });

  test('file tools list directories alone: a file as prefix is not_directory, while a search may name one file', async () => {
    const files = [file('main.py', 'import os\n'), file('src/a.ts', 'x')];
    const steps: [string, JsonObject][] = [
      ['list_files', { prefix: 'main.py' }],
      ['search_files', { pattern: '*.py', path: 'main.py' }],
      ['search_text', { pattern: 'import', path: 'main.py' }],
      ['search_text', { pattern: 'import', path: 'main.py/x' }],
    ];
    const { read } = await calls(steps, { files });
    expect(read).toMatchObject([
      { ok: false, result: { code: 'not_directory' } },
      { ok: true, result: { files: ['main.py'] } },
      { ok: true, result: { matches: [{ path: 'main.py', line_number: 1 }] } },
      { ok: false, result: { code: 'not_directory' } },
    ]);
  });

  test('file tools search text by line; no match is a success', async () => {
    const files = [file('a.txt', 'One\r\ntwo\n'), file('-n', 'one'), file('b.md', 'one')];
    const steps: [string, JsonObject][] = [
      ['search_text', { pattern: '^one$', case_sensitive: false, include: '*.txt' }],
      ['search_text', { pattern: 'one', path: '-n' }],
      ['search_text', { pattern: 'nowhere' }],
      ['search_text', { pattern: '(' }],
    ];
    const { read } = await calls(steps, { files });
    expect(read).toMatchObject([
      { ok: true, result: { matches: [{ path: 'a.txt', line_number: 1, line_text: 'One' }] } },
      { ok: true, result: { matches: [{ path: '-n', line_number: 1, line_text: 'one' }] } },
      { ok: true, result: { matches: [] } },
      { ok: false, result: { code: 'arguments', path: '/pattern' } },
    ]);
  });

  test('long content is previewed and stays where it is; long output is spilled', async () => {
    const files = [file('long.txt', 'line\n'.repeat(20_000))];
    const { read, events } = await calls(
      [
        ['read_file', { path: 'long.txt' }],
        ['exec', { command: ['cat', 'long.txt'] }],
        ['exec', { command: ['ls', '.agentclash/spill'] }],
      ],
      { files, ...shell },
    );
    expect(read).toMatchObject([
      { result: { content: { truncated: true, full_output_path: 'long.txt', total_bytes: 100_000 } } },
      {
        result: {
          stdout: { truncated: true, full_output_path: '.agentclash/spill/exec-step-1.txt' },
          exit_code: 0,
        },
      },
      { result: { stdout: 'exec-step-1.txt\n' } },
    ]);
    expect(events.payloads('sandbox.file.written').at(-1)).toMatchObject({ bytes: 100_000 });
  });
});

describe('commands', () => {
  test('commands that fail or run out of time are tool errors that show their output', async () => {
    const steps: [string, JsonObject][] = [
      ['exec', { command: ['sh', '-c', 'echo out; echo err >&2; exit 3'] }],
      ['exec', { command: ['sleep', '60'], timeout_seconds: 0.2 }],
      ['exec', { command: ['pwd'], working_directory: '/etc' }],
      ['exec', { command: ['sh', '-c', 'echo $A'], environment: { A: 'literal ${x}' } }],
      ['exec', { command: ['env'], environment: { AGENTCLASH_TASK: 'x' } }],
    ];
    const { read } = await calls(steps, shell);
    expect(read).toMatchObject([
      { ok: false, result: { code: 'exit_nonzero', exit_code: 3, stdout: 'out\n', stderr: 'err\n' } },
      { ok: false, result: { code: 'timeout', timed_out: true } },
      { ok: false, result: { code: 'not_permitted' } },
      { ok: true, result: { stdout: 'literal ${x}\n' } },
      { ok: false, result: { code: 'arguments', path: '/environment/AGENTCLASH_TASK' } },
    ]);
  });

  test("run_tests finds out how; a command of one's own needs the shell", async () => {
    const files = [file('Makefile', 'test:\n\t@echo 2 passed\nall:\n\t@false\n')];
    const { read } = await calls(
      [
        ['run_tests', {}],
        ['run_tests', { command: 'true' }],
        ['build', { working_directory: 'none' }],
      ],
      { files },
    );
    expect(read).toMatchObject([
      {
        ok: true,
        result: { framework: 'make', mode: 'detected', stdout: '2 passed\n', summary: 'test passed' },
      },
      { ok: false, result: { code: 'policy' } },
      { ok: false, result: { code: 'not_found' } },
    ]);
  });
});

describe('data tools', () => {
  test('query_json reads a file or a value and can write its result', async () => {
    const files = [file('a.json', '{"items": [{"n": 1}, {"n": 2}]}')];
    const steps: [string, JsonObject][] = [
      ['query_json', { query: '.items[].n', file_path: 'a.json' }],
      ['query_json', { query: '.x | length', json: { x: 'abc' } }],
      ['query_json', { query: 'empty', json: '[]' }],
      ['query_json', { query: '[.items[] | .n * 2]', file_path: 'a.json', output_path: 'b.json' }],
      ['read_file', { path: 'b.json' }],
      ['query_json', { query: '.', file_path: 'a.json', json: 1 }],
      ['query_json', { query: '.[', json: 1 }],
    ];
    const { read } = await calls(steps, { files });
    expect(read).toMatchObject([
      { ok: true, result: { query: '.items[].n', result: [1, 2] } },
      { ok: true, result: { result: 3 } },
      { ok: true, result: { result: null } },
      { ok: true, result: { output_path: 'b.json', written: true, total_bytes: 5 } },
      { ok: true, result: { content: '[2,4]' } },
      { ok: false, result: { code: 'arguments' } },
      { ok: false, result: { code: 'query_failed', error: expect.stringContaining('syntax error') } },
    ]);
  });

  test('query_sql reads a database and leaves it as it is', async () => {
    const make = `import sqlite3
db = sqlite3.connect('d.db')
db.execute('create table t(a, b, c)')
db.execute("insert into t values (1, 'x', null), (9007199254740993, 'y', x'ff')")
db.commit()`;
    const sql = (query: string): [string, JsonObject] => [
      'query_sql',
      { engine: 'sqlite', query, database_path: 'd.db' },
    ];
    const steps: [string, JsonObject][] = [
      ['exec', { command: ['python3', '-c', make] }],
      sql('select * from t order by a'),
      sql('delete from t'),
      sql("attach '/etc/passwd' as p; select * from p.sqlite_master"),
      sql('with recursive n(i) as (select 1 union all select i + 1 from n) select i from n'),
      ['query_sql', { engine: 'sqlite', query: 'select 1', database_path: 'none.db' }],
    ];
    const { read } = await calls(steps, shell);
    expect(read.slice(1)).toMatchObject([
      {
        ok: true,
        result: {
          rows: [
            { a: 1, b: 'x', c: null },
            { a: '9007199254740993', b: 'y', c: '/w==' },
          ],
        },
      },
      { ok: false, result: { code: 'query_failed', error: 'attempt to write a readonly database' } },
      { ok: false, result: { code: 'query_failed' } },
      { ok: false, result: { code: 'query_failed', error: 'more than 10000 rows' } },
      { ok: false, result: { code: 'not_found' } },
    ]);
  });
});

describe('workspace tools', () => {
  test('workspace tools run their steps in order, later ones over earlier results', async () => {
    const workspace: WorkspaceTool[] = [
      {
        name: 'copy_first_line',
        tool_kind: 'composed',
        lifecycle_status: 'active',
        attached: true,
        definition: {
          parameters: { type: 'object', properties: { from: { type: 'string' } }, required: ['from'] },
          steps: [
            {
              id: 'source',
              ref: { type: 'primitive', name: 'read_file' },
              inputs: { path: '${params.from}' },
            },
            {
              id: 'copy',
              ref: { type: 'primitive', name: 'write_file' },
              inputs: { path: '${from}.copy', content: '<${steps.source.content}>' },
            },
          ],
        },
      },
    ];
    const tools = { custom: [], workspace, allowed: [], denied: [] };
    const { read } = await calls(
      [
        ['copy_first_line', { from: 'a' }],
        ['read_file', { path: 'a.copy' }],
        ['copy_first_line', { from: 'none' }],
      ],
      { tools, files: [file('a', 'text')] },
    );
    expect(read).toMatchObject([
      { ok: true, result: { path: 'a.copy', written: true } },
      { ok: true, result: { content: '<text>' } },
      { ok: false, result: { code: 'not_found', error: expect.stringMatching(/^copy_first_line failed: /) } },
    ]);
  });
});
