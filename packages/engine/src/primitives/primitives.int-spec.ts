import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CustomTool, JsonObject, JsonValue } from '@agentclash/challengepack';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AttemptPlan, PlannedFile, ScriptStep, WorkspaceTool } from '../plan.js';
import { Arena } from '../testing/arena.js';
import { attemptPlan } from '../testing/plans.js';

const arena = new Arena();
let server: Server;
let origin: string;
const seen: { url?: string; authorization?: string; body: string }[] = [];

beforeAll(async () => {
  await arena.open();
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { authorization } = request.headers;
      seen.push({ url: request.url, authorization, body });
      response.setHeader('content-type', 'application/json');
      response.setHeader('set-cookie', 'session=1');
      response.end(JSON.stringify({ echo: authorization ?? null, stock: 12 }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await arena.close();
  await new Promise((resolve) => server.close(resolve));
});

interface Called {
  ok: boolean;
  result: JsonValue;
}

/** Makes calls in one attempt and gives back what the agent read. */
async function calls(steps: [string, JsonObject][], changes: Partial<AttemptPlan> = {}) {
  const config = { steps: steps.map(([name, args]): ScriptStep => ({ call: { name, arguments: args } })) };
  const attempt = await arena.run(attemptPlan({ kind: 'scripted', config }, changes));
  const read = attempt.events.all.flatMap((event): Called[] => {
    if (event.event_type === 'tool.call.completed') {
      return [{ ok: true, result: (event.payload as { result: JsonValue }).result }];
    }
    if (event.event_type !== 'tool.call.failed') return [];
    return [{ ok: false, result: (event.payload as { result: JsonValue }).result }];
  });
  return { ...attempt, read };
}

const file = (path: string, content: string): PlannedFile => ({ path, content });
const shell = { tool_policy: { allow_shell: true } };

describe('file tools', () => {
  test('give back binary content as base64 and parts by byte', async () => {
    const files = [
      { path: 'b', artifact: arena.store.add(Buffer.from([0xff, 0x00, 0x01])) },
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

  test('skip .git and .agentclash, sort by path, and name files as they can be read', async () => {
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

  test('search text by line; no match is a success', async () => {
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
  test('that fail or run out of time are tool errors that show their output', async () => {
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

describe('http_request through a composed tool', () => {
  const SECRET = 'sk-live-9f8e7d6c5b4a';
  const network = () => ({
    tool_policy: { allowed_tool_kinds: ['network' as const, 'file' as const] },
    sandbox: {
      ...attemptPlan({ kind: 'scripted', config: { steps: [] } }).sandbox,
      network_access: true,
      network_allowlist: ['127.0.0.1/32'],
    },
  });
  const inventory = (): CustomTool => ({
    name: 'check_inventory',
    description: 'Stock of an item.',
    parameters: {
      type: 'object',
      properties: { sku: { type: 'string' } },
      required: ['sku'],
      additionalProperties: false,
    },
    implementation: {
      primitive: 'http_request',
      args: {
        method: 'POST',
        url: `${origin}/items/\${path:sku}`,
        headers: { Authorization: 'Bearer ${secrets.INVENTORY}' },
        body: '{"sku": ${json:sku}}',
      },
    },
  });
  const tools = (...custom: CustomTool[]) => ({ tools: { custom, workspace: [], allowed: [], denied: [] } });

  test('sends the secret, and shows it to nobody', async () => {
    arena.secrets.set('INVENTORY', SECRET);
    const { read, events } = await calls([['check_inventory', { sku: 'a/b "1"' }]], {
      ...network(),
      ...tools(inventory()),
    });
    expect(seen.at(-1)).toEqual({
      url: '/items/a%2Fb%20%221%22',
      authorization: `Bearer ${SECRET}`,
      body: '{"sku": "a/b \\"1\\""}',
    });
    expect(read).toMatchObject([
      {
        ok: true,
        result: {
          status_code: 200,
          headers: { 'set-cookie': '[redacted]' },
          body: '{"echo":"Bearer [redacted:INVENTORY]","stock":12}',
        },
      },
    ]);
    expect(events.text()).not.toContain(SECRET);
    expect(events.payloads('tool.call.completed')).toMatchObject([
      {
        tool_name: 'check_inventory',
        layer: 'pack',
        resolved_tool: 'http_request',
        kind: 'network',
        resolution_chain: [
          { name: 'check_inventory', layer: 'pack' },
          { name: 'http_request', layer: 'primitive' },
        ],
      },
    ]);
    expect(events.payloads('network.request.completed')).toMatchObject([
      { method: 'POST', host: '127.0.0.1', status: 200 },
    ]);
  });

  test('keeps a secret opaque through a chain, and the agent reads of the tool it called', async () => {
    arena.secrets.set('INVENTORY', SECRET);
    const call_api: CustomTool = {
      name: 'call_api',
      parameters: {
        type: 'object',
        properties: { token: { type: 'string', maxLength: 3 }, path: { type: 'string' } },
      },
      implementation: {
        primitive: 'http_request',
        args: { method: 'GET', url: `${origin}/${'$'}{path:path}`, headers: { Authorization: '${token}' } },
      },
    };
    const lookup: CustomTool = {
      name: 'lookup',
      parameters: { type: 'object', properties: { path: { type: 'string' } } },
      implementation: { primitive: 'call_api', args: { token: 'Key ${secrets.INVENTORY}', path: '${path}' } },
    };
    const { read, events } = await calls(
      [
        ['lookup', { path: 'x' }],
        ['lookup', {}],
        ['lookup', { path: '..' }],
      ],
      { ...network(), ...tools(lookup, call_api) },
    );
    expect(seen.at(-1)).toMatchObject({ url: '/x', authorization: `Key ${SECRET}` });
    expect(read).toMatchObject([
      { ok: true },
      { ok: false, result: { code: 'missing_parameter', error: expect.stringMatching(/^lookup failed: /) } },
      { ok: false, result: { code: 'unsafe_path_segment' } },
    ]);
    expect(events.payloads('tool.call.failed').map((each) => each.failure_origin)).toEqual([
      'resolution',
      'resolution',
    ]);
    expect(events.text()).not.toContain(SECRET);
  });

  test('without an allow-list reaches no loopback', async () => {
    const { sandbox, ...rest } = network();
    const { read, events } = await calls([['http_request', { method: 'GET', url: origin }]], {
      ...rest,
      sandbox: { ...sandbox, network_allowlist: [] },
    });
    expect(read).toMatchObject([
      { ok: false, result: { code: 'egress_blocked', error: 'egress_blocked: loopback' } },
    ]);
    expect(events.payloads('network.request.blocked')).toMatchObject([{ reason: 'loopback' }]);
  });

  test('stores a body in the workspace', async () => {
    const { read } = await calls(
      [
        ['http_request', { method: 'GET', url: origin, output_path: 'out/page.json' }],
        ['read_file', { path: 'out/page.json' }],
      ],
      network(),
    );
    expect(read).toMatchObject([
      { ok: true, result: { output_path: 'out/page.json', bytes_downloaded: 24 } },
      { ok: true, result: { content: '{"echo":null,"stock":12}' } },
    ]);
  });

  test('stops a planted secret before a byte has left, and the attempt with it', async () => {
    const planted_secrets = [{ name: 'trap', value: 'planted-value-1', location: 'tool-output' as const }];
    const before = seen.length;
    const { result, events } = await calls(
      [
        ['list_files', {}],
        [
          'http_request',
          { method: 'POST', url: origin, body: Buffer.from('x planted-value-1').toString('base64') },
        ],
      ],
      { ...network(), planted_secrets },
    );
    expect(result).toMatchObject({ outcome: 'policy_violation' });
    expect(seen).toHaveLength(before);
    expect(events.payloads('policy.violation')).toMatchObject([{ rule: 'canary_in_egress' }]);
    expect(events.payloads('tool.call.completed')).toMatchObject([{ result: { trap: 'planted-value-1' } }]);
  });

  test('a vault that does not answer is no fault of the agent', async () => {
    arena.secrets.delete('INVENTORY');
    const { result } = await calls([['check_inventory', { sku: 'x' }]], {
      ...network(),
      ...tools(inventory()),
    });
    expect(result).toMatchObject({
      outcome: 'infra_error',
      error: { code: 'vault_unreachable', retryable: true },
    });
  });
});

describe('workspace tools', () => {
  test('run their steps in order, later ones over earlier results', async () => {
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
