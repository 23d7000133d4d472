import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';

const checker = path.resolve(import.meta.dirname, '../../../infra/bootstrap/check-rules.mjs');
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A workspace of the given files; manifests are written as `{name, ...}` objects, sources as text. */
function check(files: Record<string, string | object>): { exitCode: number | null; violations: string[] } {
  const root = mkdtempSync(path.join(tmpdir(), 'agentclash-rules-'));
  folders.push(root);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const { status, stderr } = spawnSync(process.execPath, [checker, root], { encoding: 'utf8' });
  return { exitCode: status, violations: stderr.split('\n').filter(Boolean) };
}

const bus = { 'packages/bus/package.json': { name: '@agentclash/bus' } };
const cli = { 'apps/cli/package.json': { name: '@agentclash/cli' } };
const vault = { 'apps/secrets-vault/package.json': { name: '@agentclash/secrets-vault' } };

describe('the rules of the repository', () => {
  test('the rules find no violation in code that follows them', () => {
    const clean = check({
      ...bus,
      'packages/bus/src/index.ts': `export * from './bus.js';\nexport { type A, b } from './a.js';\n`,
      'packages/bus/src/bus.ts': `import { connect } from '@nats-io/transport-node';\n// import x from '@agentclash/cli';\nexport const open = connect;\n`,
      ...vault,
      'apps/secrets-vault/src/secrets/secrets.store.ts': `import { PrismaClient } from '../generated/client.js';\nexport const s = PrismaClient;\n`,
    });
    expect(clean).toEqual({ exitCode: 0, violations: [] });
  });

  test('the rules find folders that import each other in a cycle, by types too, but not files that compose the package', () => {
    const files = (back: string) => ({
      ...bus,
      'packages/bus/src/main.ts': `import { a } from './a/a.js';\na();\n`,
      'packages/bus/src/a/a.ts': `import { b } from '../b/b.js';\nexport const a = b;\n`,
      'packages/bus/src/b/b.ts': `import type { C } from '../c/c.js';\nexport const b = (c: C) => c;\n`,
      'packages/bus/src/c/c.ts': `${back}export type C = string;\n`,
      'packages/bus/src/b/b.spec.ts': `import { a } from '../a/a.js';\na();\n`,
    });
    expect(check(files('')).violations).toEqual([]);
    expect(check(files(`import type { a } from '../a/a.js';\n`)).violations).toEqual([
      'packages/bus  these folders import each other in a cycle: a, b, c',
    ]);
  });

  test('the rules find programs that a source names by path and that do not exist', () => {
    const files = (name: string) => ({
      ...bus,
      'packages/bus/src/pool.ts': `fork(path.join(import.meta.dirname, '${name}'));\nexport const a = new URL('./${name}', import.meta.url);\n`,
      'packages/bus/src/threads/work.ts': 'export const work = 1;\n',
    });
    expect(check(files('threads/work.js')).violations).toEqual([]);
    expect(check(files('work.js')).violations).toEqual([
      'packages/bus/src/pool.ts  the program work.js does not exist',
      'packages/bus/src/pool.ts  the program ./work.js does not exist',
    ]);
  });

  test('the rules find a cycle of the files beside the folders with a folder, and folders that import what composes them', () => {
    const files = (imported: string) => ({
      ...bus,
      'packages/bus/src/index.ts': `export { a } from './a/a.js';\n`,
      'packages/bus/src/ports.ts': `import { b } from './b/b.js';\nexport type Ports = typeof b;\n`,
      'packages/bus/src/a/a.ts': `import type { Ports } from '../ports.js';\nexport const a = (p: Ports) => p;\n`,
      'packages/bus/src/b/b.ts': `${imported}export const b = 1;\n`,
    });
    const cycleOf = (folders: string) => [
      `packages/bus  these folders import each other in a cycle: ${folders}`,
    ];
    expect(check(files('')).violations).toEqual([]);
    expect(check(files(`import type { Ports } from '../ports.js';\n`)).violations).toEqual(cycleOf('., b'));
    expect(check(files(`import { a } from '../index.js';\n`)).violations).toEqual(
      cycleOf('., a, b, index.ts'),
    );
  });

  test.each([
    ['a constant', 'const PATTERN = /x/;', '{ a: PATTERN }'],
    ['a constant under its own name', 'const a = new RegExp(x);', '{ a }'],
    ['an object in a constant', 'const WANT = { b: 1, a: [/x/] };', 'WANT'],
    ['a member of a constant', 'const WANT = { a: /x/ } as const;', '{ a: WANT.a }'],
    ['a constant that is spread', 'const WANT = { a: /x/ };', '{ ...WANT, b: 1 }'],
    ['a choice', 'const PATTERN = /x/;', '{ a: x ? 1 : PATTERN }'],
  ])('the rules find a RegExp that matches anything in %s', (_where, constant, wanted) => {
    const text = `import { x } from './x.js';\n${constant}\ntest('x is a', () => expect(x).toMatchObject(${wanted}));`;
    expect(check({ ...bus, 'packages/bus/src/a.spec.ts': text }).violations).toEqual([
      'packages/bus/src/a.spec.ts:3  a RegExp in toMatchObject asserts nothing: use expect.stringMatching',
    ]);
  });

  test('the rules permit a constant RegExp that a matcher takes, and a member of another name', () => {
    const text = [
      "import { x } from './x.js';",
      'const PATTERN = /x/;',
      'const WANT = { a: PATTERN, b: 1, c: { ...{ d: 1 } } };',
      "test('x is a', () => expect(x).toMatchObject({ a: expect.stringMatching(PATTERN), b: WANT.b, c: x.a, d: PATTERN.test(x) }));",
    ].join('\n');
    expect(check({ ...bus, 'packages/bus/src/a.spec.ts': text }).violations).toEqual([]);
  });

  test('the rules find tests that cannot fail: a RegExp that matches anything, no assertion, a return before them', () => {
    const violationsOf = (body: string) =>
      check({ ...bus, 'packages/bus/src/a.spec.ts': `// á\nimport { x } from './x.js';\n${body}` })
        .violations;
    const at = 'packages/bus/src/a.spec.ts:';
    const pattern = (matcher: string) => `a RegExp in ${matcher} asserts nothing: use expect.stringMatching`;
    expect(
      violationsOf(`test('x is a', () => {\n  expect(x).toMatchObject({ a: [{ b: /x/ }] });\n});`),
    ).toEqual([`${at}4  ${pattern('toMatchObject')}`]);
    expect(
      violationsOf(`test('x is a', () => expect(x).toEqual(expect.objectContaining({ a: /x/ })));`),
    ).toEqual([`${at}3  ${pattern('objectContaining')}`]);
    const idle = 'a test without an assertion cannot fail';
    expect(violationsOf(`test('x is a', async () => {\n  await x();\n});`)).toEqual([`${at}3  ${idle}`]);
    expect(violationsOf(`test.each([1])('x is %d', (n) => x(n));`)).toEqual([`${at}3  ${idle}`]);
    expect(violationsOf(`(x ? test : test.skip)('x is a', () => x());`)).toEqual([`${at}3  ${idle}`]);
    expect(
      violationsOf(
        `test('x is a', async () => {\n  await once(x, 'y');\n  await until(x);\n  x.runReaches();\n  x.shows();\n});`,
      ),
    ).toEqual([`${at}3  ${idle}`]);
    expect(
      violationsOf(`test('x is a', () => expectHistory(x));\ntest('x is b', () => expected(x));`),
    ).toEqual([`${at}4  ${idle}`]);
    expect(violationsOf(`test('x is a', () => {\n  if (x) return;\n  expect(x).toBe(1);\n});`)).toEqual([
      `${at}4  a return in a test passes it without testing: use test.skip for what cannot run`,
    ]);
    expect(
      violationsOf(`test('x is a', () => {
  expect(x).toMatchObject({ a: expect.stringMatching(/x/) });
});
function holds(y: number) {
  expect(y).toBe(1);
}
test('x is b', () => [1].forEach(holds));
test('x is c', () => {
  const y = () => {
    return;
  };
  holds(y);
});
test.skip('x is d', () => x());
`),
    ).toEqual([]);
  });

  test.each([
    [
      'a dependency that the table does not have',
      {
        'packages/bus/package.json': {
          name: '@agentclash/bus',
          dependencies: { '@agentclash/engine': 'workspace:*' },
        },
      },
      'packages/bus/package.json  bus must not depend on engine',
    ],
    [
      'a package that is not in the table',
      { 'packages/new/package.json': { name: '@agentclash/new' } },
      'packages/new/package.json  new is not in the dependency table (infra/bootstrap/rules/dependency-table.mjs)',
    ],
    [
      'an import that the table does not have',
      {
        ...bus,
        'packages/bus/src/a.ts': `\nimport {\n  x,\n} from '@agentclash/engine';\nexport const y = x;\n`,
      },
      'packages/bus/src/a.ts:4  bus must not import engine',
    ],
    [
      'the test kit in code that is not a test',
      {
        ...bus,
        'packages/bus/src/a.ts': `import { waitFor } from '@agentclash/testkit';\nexport const y = waitFor;\n`,
      },
      'packages/bus/src/a.ts:1  bus must not import testkit',
    ],
    [
      'a heavy package imported where it has to be loaded lazily',
      {
        ...cli,
        'apps/cli/src/up.ts': `import { up } from '@agentclash/local-stack';\nexport const y = up;\n`,
      },
      'apps/cli/src/up.ts:1  cli must load local-stack lazily, by import() where it is used',
    ],
    [
      'a relative import of another package',
      {
        ...bus,
        'packages/bus/src/a.ts': `import { x } from '../../engine/src/x.js';\nexport const y = x;\n`,
      },
      'packages/bus/src/a.ts:1  a relative import must not leave packages/bus: ../../engine/src/x.js',
    ],
    [
      'a NATS client outside the bus',
      {
        ...vault,
        'apps/secrets-vault/src/a.ts': `import { connect } from '@nats-io/transport-node';\nconnect();\n`,
      },
      'apps/secrets-vault/src/a.ts:1  a NATS client (@nats-io/transport-node) is for packages/bus only',
    ],
    [
      'Prisma outside a store',
      {
        ...vault,
        'apps/secrets-vault/src/secrets/secrets.service.ts': `import { x } from '../generated/client.js';\nx();\n`,
      },
      'apps/secrets-vault/src/secrets/secrets.service.ts:1  the Prisma client (../generated/client.js) is for *.store.ts and the database.ts that wires it only',
    ],
    [
      'a file of more than 400 lines',
      { ...bus, 'packages/bus/src/a.ts': 'let x;\n'.repeat(401) },
      'packages/bus/src/a.ts:401  401 lines: split it by concept',
    ],
    [
      'a file without a concept',
      { ...bus, 'packages/bus/src/string-things/utils.ts': 'export const x = 1;\n' },
      'packages/bus/src/string-things/utils.ts  "utils" is an empty name; name the concept',
    ],
    [
      'a second barrel',
      { ...bus, 'packages/bus/src/jobs/all.ts': `export * from './a.js';\n` },
      'packages/bus/src/jobs/all.ts  a barrel: only packages/bus/src/index.ts re-exports',
    ],
    [
      'an index with code of its own',
      { ...bus, 'packages/bus/src/index.ts': `export * from './a.js';\nexport const x = 1;\n` },
      'packages/bus/src/index.ts  the index only re-exports',
    ],
    [
      'a class with an empty name',
      { ...bus, 'packages/bus/src/a.ts': 'export class StreamManager {}\n' },
      'packages/bus/src/a.ts:1  StreamManager: an empty name; name what it does',
    ],
  ])('the rules report %s', (_what, files, violation) => {
    expect(check(files as Record<string, string | object>)).toEqual({ exitCode: 1, violations: [violation] });
  });

  test('the rules find statements on the attempts of runs beside their two stores', () => {
    const folder = 'apps/run-orchestrator/src/runs/store';
    const violationsOf = (file: string, source: string) =>
      check({
        'apps/run-orchestrator/package.json': { name: '@agentclash/run-orchestrator' },
        [`${folder}/${file}`]: source,
      }).violations;
    const elsewhere = `${folder}/runs.store.ts:1  a statement on the table attempts: those are for ${folder}/attempts`;
    for (const statement of [
      'db.attempt.findMany()',
      'tx.$queryRaw`\n  SELECT 1 FROM attempts a`',
      'tx.$executeRaw`UPDATE runs.attempts`',
    ]) {
      expect(violationsOf('runs.store.ts', `${statement.replace('\n', ' ')};`)).toEqual([elsewhere]);
      expect(violationsOf('attempts/attempt-writes.store.ts', statement)).toEqual([]);
    }
    expect(
      violationsOf('runs.store.ts', '// FROM attempts\nconst a = { attempts: [] }; a.attempts.map(b);'),
    ).toEqual([]);
    expect(
      violationsOf(
        'runs.store.ts',
        `import { lockLoads } from './attempts/stale-attempts.store.js';\nlockLoads();`,
      ),
    ).toEqual([
      `${folder}/runs.store.ts:1  a part of a store of attempts: import attempt-reads.store.ts or attempt-writes.store.ts`,
    ]);
    const reads = `${folder}/attempts/attempt-views.store.ts:1`;
    expect(violationsOf('attempts/attempt-views.store.ts', '@Injectable() class Third {}')).toEqual([
      `${reads}  a third store of attempts: attempt-reads.store.ts reads, attempt-writes.store.ts writes`,
    ]);
    expect(violationsOf('attempts/attempt-views.store.ts', 'db.attempt.updateMany();')).toEqual([
      `${reads}  a statement that writes attempts: those are for attempt-writes.store.ts`,
    ]);
  });

  test('the rules let the cli load its heavy packages by import()', () => {
    const lazy = {
      ...cli,
      'apps/cli/src/up.ts': `export const up = () => import('@agentclash/local-stack');\n`,
    };
    expect(check(lazy).violations).toEqual([]);
  });

  test('the rules ignore code in strings and comments', () => {
    const quoted = "`\nimport x from '@agentclash/cli';\nclass StreamManager {}`";
    const source = `/*\nimport y from '@agentclash/cli';\n*/\nexport const x = ${quoted};\n`;
    expect(check({ ...bus, 'packages/bus/src/a.ts': source }).violations).toEqual([]);
  });

  test('the rules let tests use the test kit', () => {
    const spec = {
      ...bus,
      'packages/bus/src/a.spec.ts': `import { waitFor } from '@agentclash/testkit';\nwaitFor;\n`,
      'packages/bus/src/a.nightly-spec.ts': `import { waitFor } from '@agentclash/testkit';\nwaitFor;\n`,
    };
    expect(check(spec).violations).toEqual([]);
  });
});
