import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npmInstall } from '@agentclash/testkit/npm-install';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { type Ended, Product, repository, runNode, runProgram, StackFolder } from './product.js';
import { PackageRegistry } from './testing/package-registry.js';

jest.setTimeout(300_000);

const LIBRARIES = ['@agentclash/sdk', '@agentclash/challengepack', '@agentclash/contracts'];
const EXAMPLES = path.join(repository, 'examples/sdk');
/** Compiled with the declarations of every package, as a project with the strictest settings does it. */
const COMPILER_OPTIONS = { module: 'nodenext', target: 'es2022', strict: true, skipLibCheck: false };

/** A program of a user that needs no server. */
const CHECK = `
import { readFileSync } from 'node:fs';
import { canonicalJson, readPack } from '@agentclash/challengepack';
import { DEFAULT_LINEUP } from '@agentclash/challengepack/lineup';
import { ACCESS, ERRORS } from '@agentclash/contracts';

const { problems } = readPack(readFileSync(0, 'utf8'));
const code: keyof typeof ERRORS = 'not_found';
const services = Object.keys(ACCESS);
process.stdout.write(JSON.stringify({
  codes: problems.map((problem) => problem.code), lineup: DEFAULT_LINEUP, canonical: canonicalJson({ b: 1, a: 2 }), http: ERRORS[code].http, services,
}));
`;

describe('the libraries, published as a release does it and installed in an empty folder', () => {
  const folder = new StackFolder();
  const consumer = path.join(folder.path, 'consumer');
  const settings = path.join(folder.path, 'npmrc');
  let registry: PackageRegistry;
  const runScript = (name: string, stdin: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
    runNode(['--experimental-strip-types', '--no-warnings', path.join(consumer, name)], {
      folder,
      stdin,
      env,
      timeoutMs: 120_000,
    });

  beforeAll(async () => {
    registry = await PackageRegistry.start();
    const host = registry.url.slice('http:'.length);
    // As actions/setup-node writes it.
    const lines = [`${host}:_authToken=\${NODE_AUTH_TOKEN}`, `@agentclash:registry=${registry.url}`, ''];
    writeFileSync(settings, lines.join('\n'));
    await publish();
    mkdirSync(consumer);
    writeFileSync(path.join(consumer, 'package.json'), '{"type": "module"}');
    const others = ['typescript', '@types/node'].map((name) => `${name}@${versionOf(name)}`);
    await npmInstall(consumer, [...LIBRARIES, ...others], ['--userconfig', settings]);
  });
  afterAll(async () => {
    await Product.stopAll();
    registry.close();
    folder.remove();
  });

  /** The step of the release's workflow, without the provenance that only the workflow can prove. */
  async function publish(): Promise<void> {
    const workflow = parse(readFileSync(path.join(repository, '.github/workflows/release.yml'), 'utf8'));
    const steps: { run?: string }[] = workflow.jobs.npm.steps;
    const step = steps.find(({ run }) => run?.includes('--recursive publish'))?.run ?? '';
    const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'));
    const { code, stdout, stderr } = await runProgram(
      'bash',
      ['-e', '-c', `${step.replace('--provenance ', '').trimEnd()} --registry ${registry.url}`],
      {
        folder,
        env: {
          ...{ NPM_CONFIG_USERCONFIG: settings, NODE_AUTH_TOKEN: registry.token },
          GITHUB_REF_NAME: `v${version}`,
        },
        timeoutMs: 120_000,
      },
    );
    if (code !== 0) throw new Error(`publishing ended with ${code}: ${stdout}${stderr}`);
  }

  test('The three libraries and the packages that they depend on are published, dependencies first.', () => {
    expect([...registry.published].sort()).toEqual(
      [...LIBRARIES, '@agentclash/agent-presets', '@agentclash/api', '@agentclash/domain'].sort(),
    );
    for (const [at, name] of registry.published.entries()) {
      const { dependencies = {} } = registry.manifestOf(name) as { dependencies?: Record<string, string> };
      expect(JSON.stringify(dependencies)).not.toMatch(/workspace:|catalog:|link:|file:/);
      const own = Object.keys(dependencies).filter((each) => each.startsWith('@agentclash/'));
      expect(own.filter((each) => !registry.published.slice(0, at).includes(each))).toEqual([]);
    }
  });

  test('The step publishes nothing when it is run again: the registry has the versions.', async () => {
    const before = [...registry.published];
    await publish();
    expect(registry.published).toEqual(before);
  });

  test('Each package has code, declarations, a licence and a README, and no tests, sources or maps.', () => {
    for (const name of registry.published) {
      const installed = path.join(consumer, 'node_modules', name);
      const files = readdirSync(installed, { recursive: true }).map(String);
      expect(files).toEqual(
        expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts']),
      );
      expect(files.filter((file) => /\.(?:\w+-)?spec\.|\.map$|testing|^src|tsbuildinfo/.test(file))).toEqual(
        [],
      );
    }
    const notices = path.join(
      consumer,
      'node_modules/@agentclash/challengepack/dist/THIRD-PARTY-LICENSES.txt',
    );
    expect(readFileSync(notices, 'utf8')).toMatch(/^yaml \d[\s\S]*Permission to use/m);
  });

  test('Programs that use them compile with the declarations of all packages checked.', async () => {
    for (const file of readdirSync(EXAMPLES).filter((name) => name.endsWith('.ts')))
      cpSync(path.join(EXAMPLES, file), path.join(consumer, file));
    writeFileSync(path.join(consumer, 'check.ts'), CHECK);
    writeFileSync(
      path.join(consumer, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...COMPILER_OPTIONS, noEmit: true, types: ['node'] } }),
    );
    const compiler = path.join(consumer, 'node_modules/.bin/tsc');
    expect(await runProgram(compiler, ['-p', consumer], { folder })).toMatchObject({ code: 0, stdout: '' });
    // The settings do find errors.
    writeFileSync(
      path.join(consumer, 'wrong.ts'),
      "import { definePack } from '@agentclash/sdk';\ndefinePack({ pak: {} });\n",
    );
    const wrong = await runProgram(compiler, ['-p', consumer], { folder });
    expect(wrong.stdout).toMatch(/wrong\.ts\(2,\d+\): error TS2\d+: .*'pak'/);
  });

  test('A program checks packs with them, and reads the tables of the contracts.', async () => {
    const pack = await runScript('capital-cities.ts', '');
    expect(pack).toMatchObject({ code: 0, stderr: '' });
    const good = await runScript('check.ts', pack.stdout);
    expect(JSON.parse(good.stdout)).toMatchObject({
      codes: [],
      lineup: 'default',
      canonical: '{"a":2,"b":1}',
      http: 404,
      services: expect.arrayContaining(['gateway', 'scoring']),
    });
    const broken = await runScript(
      'check.ts',
      pack.stdout.replace('slug: capital-cities', 'slug: Not a slug'),
    );
    expect(JSON.parse(broken.stdout).codes).not.toEqual([]);
  });

  test('A program publishes a pack and races agents on a stack.', async () => {
    const product = await Product.start(folder);
    const pack = await runScript('capital-cities.ts', '');
    const race = await runScript('race.ts', pack.stdout, {
      AGENTCLASH_API_URL: product.state.url,
      AGENTCLASH_TOKEN: await product.token(),
    });
    expect(race).toMatchObject({ code: 0, stderr: '..........' });
    expect(race.stdout).toMatch(/^1 right 0\.\d+\n2 wrong 0\.\d+\n$/);
  });
});

/** That of the workspace. */
function versionOf(name: string): string {
  const file = path.join(repository, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
