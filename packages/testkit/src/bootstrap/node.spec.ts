import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const PRODUCT = path.resolve(import.meta.dirname, '../../../..');
const PACKAGE = `node-${process.platform}-${process.arch}`;
const FETCHED = '.cache/node/99.1.0/bin/node';

/** A Node.js that reports how it was started. */
const FAKE_NODE = `#!/bin/sh
[ "$1" = --version ] && exit 0
echo "started as $*"
echo "first on the PATH: $(command -v node)"
exit 7
`;

/** A clone whose package.json requires a future Node.js, and an npm that packs the fake one. */
let clone: string;
let integrity: string;
beforeEach(() => {
  clone = realpathSync(mkdtempSync(path.join(tmpdir(), 'agentclash-node-')));
  cpSync(path.join(PRODUCT, 'infra/bootstrap/setup'), path.join(clone, 'infra/bootstrap/setup'), {
    recursive: true,
  });
  write('package.json', JSON.stringify({ engines: { node: '>=99.1' } }));
  write('.node-version', '99.1.0\n');
  write('registry/package/bin/node', FAKE_NODE, 0o755);
  write('registry/package/LICENSE', 'MIT');
  const archive = path.join(clone, 'registry/node.tgz');
  spawnSync('tar', ['-czf', archive, '-C', path.join(clone, 'registry'), 'package']);
  integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  // npm pack <spec> --pack-destination <folder>
  write(
    'bin/npm',
    `#!/bin/sh\necho "$2" >> '${clone}/requests'\ncp '${archive}' "$4/${PACKAGE}-99.1.0.tgz"\n`,
    0o755,
  );
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

function write(file: string, text: string, mode = 0o644) {
  const target = path.join(clone, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
  chmodSync(target, mode);
}

/** Runs a program of the clone that ensures its Node.js, then prints a line of its own. */
function run(digests: Record<string, string> = { [PACKAGE]: integrity }) {
  write(
    'infra/bootstrap/main.mjs',
    `import { ensureNode } from './setup/node.mjs';
     import { explain } from './setup/failure.mjs';
     await ensureNode({ integrity: ${JSON.stringify(digests)} }).catch((error) => process.exit(explain(error)));
     console.log('continued');`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, ['infra/bootstrap/main.mjs', 'a', 'b c'], {
    cwd: clone,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${clone}/bin:${process.env.PATH}` },
  });
  return { status, stdout, stderr };
}

describe('Bootstrap with a Node.js that is too old', () => {
  test('Bootstrap fetches the pinned Node.js and ends as the program under it ends.', () => {
    const { status, stdout } = run();
    expect(stdout).toContain(`started as ${clone}/infra/bootstrap/main.mjs a b c`);
    expect(stdout).toContain(`first on the PATH: ${path.join(clone, FETCHED)}`);
    expect(stdout).not.toContain('continued');
    expect(status).toBe(7);
  });

  test('Bootstrap fetches the pinned Node.js only once.', () => {
    run();
    expect(run().status).toBe(7);
    expect(readFileSync(path.join(clone, 'requests'), 'utf8')).toBe(`${PACKAGE}@99.1.0\n`);
  });

  test('Bootstrap refuses a package whose digest is not the pinned one, and leaves nothing behind.', () => {
    const { status, stderr } = run({ [PACKAGE]: 'sha512-AAAA' });
    expect(status).toBe(69);
    expect(stderr).toContain(`has the digest ${integrity}, not sha512-AAAA`);
    expect(stderr).toContain('Install Node.js 99: https://nodejs.org/en/download');
    expect(existsSync(path.join(clone, FETCHED))).toBe(false);
  });

  test('Bootstrap names the package that npm lacks for this machine.', () => {
    const { status, stderr } = run({});
    expect(status).toBe(69);
    expect(stderr).toContain(`npm has no package of Node.js 99.1.0 for this machine (${PACKAGE})`);
  });

  test('Bootstrap shows why a fetched Node.js does not start.', () => {
    write(
      'bin/tar',
      `#!/bin/sh\nmkdir -p package/bin && printf '#!/bin/sh\\necho no GLIBC >&2; exit 1' > package/bin/node\nchmod +x package/bin/node\n`,
      0o755,
    );
    const { status, stderr } = run();
    expect(status).toBe(69);
    expect(stderr).toContain('no GLIBC');
  });
});

describe('Bootstrap with a Node.js that satisfies engines', () => {
  test('Bootstrap continues with a Node.js that satisfies engines and fetches nothing.', () => {
    write('package.json', JSON.stringify({ engines: { node: `>=${process.versions.node}` } }));
    expect(run()).toMatchObject({ status: 0, stdout: 'continued\n' });
    expect(existsSync(path.join(clone, '.cache'))).toBe(false);
  });
});

describe('The link of the fetched Node.js', () => {
  test('Scripts of npm and pnpm find the fetched Node.js first.', () => {
    // A copy of the Node.js that runs this test takes the place of the fetched one.
    mkdirSync(path.dirname(path.join(clone, FETCHED)), { recursive: true });
    cpSync(process.execPath, path.join(clone, FETCHED));
    write('link.mjs', `import { linkNode } from './infra/bootstrap/setup/node.mjs'; linkNode(); linkNode();`);
    expect(spawnSync(path.join(clone, FETCHED), ['link.mjs'], { cwd: clone }).status).toBe(0);
    const link = path.join(clone, 'node_modules/.bin/node');
    expect(readlinkSync(link)).toBe('../../.cache/node/99.1.0/bin/node');
    expect(spawnSync(link, ['--print', '1 + 1'], { encoding: 'utf8' }).stdout).toBe('2\n');
  });
});

describe('The versions of Node.js', () => {
  test('Images, set-up, types and every manifest agree on the pinned version and on the floor.', () => {
    const read = (file: string) => readFileSync(path.join(PRODUCT, file), 'utf8');
    const pinned = read('.node-version').trim();
    const floor = JSON.parse(read('package.json')).engines.node;
    expect(read('infra/docker/Dockerfile')).toContain(`/node:${pinned}-bookworm-slim`);
    expect(JSON.parse(read('apps/cli/package.json')).engines.node).toBe(floor);
    expect(read('pnpm-workspace.yaml')).toContain(
      `"@types/node": ^${floor.replace('>=', '').split('.')[0]}.`,
    );
  });
});
