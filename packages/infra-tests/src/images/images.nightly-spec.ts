import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { agentclash, StackFolder } from '@agentclash/e2e';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { renderOverlay } from '../manifests/render.js';
import { imageRuntime } from '../race/container.js';
import { Installation, SERVICES } from '../race/installation.js';
import { Pods } from '../race/pods.js';
import { repository } from '../repository.js';
import { describeUnless, missingKubectl } from '../requirements.js';
import { nodeVersionOf, readBuildTargets, readDockerfile } from './dockerfile.js';
import { DebianMirror, type Image, ImageBuilder, missingForImages } from './image-builder.js';

const HOUR_MS = 3_600_000;
jest.setTimeout(HOUR_MS);

const DOCKER = path.join(repository, 'infra/docker');
const BASE_IMAGE = readDockerfile(path.join(DOCKER, 'Dockerfile')).arguments.NODE_IMAGE ?? '';
const TARGETS = readBuildTargets(path.join(DOCKER, 'docker-bake.json'));
const TOKEN = 'ac_development_admin';
/** The smallest service, and the program that is copied into sandboxes: the other images differ in nothing relevant. */
const REPEATED = ['secrets-vault', 'inside'];
const PERMISSIONS = 0o777;

// Every image is built from the lockfile on, which takes minutes for each.
describeUnless(missingKubectl() ?? missingForImages(), 'the images of the Dockerfile', () => {
  const folder = new StackFolder();
  const images = new Map<string, Image>();
  let mirror: DebianMirror;
  let pods: Pods;
  let installation: Installation;

  /** Builders share no layers and no caches. */
  const openBuilder = (name: string) =>
    ImageBuilder.open(path.join(folder.path, 'builders', name), BASE_IMAGE, mirror);
  const build = (builder: ImageBuilder, name: string) => {
    const { target = '', args = {} } = TARGETS[name] ?? {};
    return builder.build({ target, args });
  };
  const imageOf = (name: string): Image => {
    const image = images.get(name);
    if (image === undefined) throw new Error(`no image of ${name}`);
    return image;
  };

  beforeAll(async () => {
    mirror = await DebianMirror.start();
    const builder = await openBuilder('first');
    const names = Object.keys(TARGETS)
      .filter((name) => TARGETS[name]?.target !== undefined)
      // It has a spec of its own.
      .filter((name) => name !== 'all-in-one');
    for (const name of names) images.set(name, await build(builder, name));
    pods = await Pods.start();
    installation = await Installation.open({
      manifests: renderOverlay('dev'),
      folder: folder.path,
      runtimeOf: (service) => imageRuntime(imageOf(service)),
      fromCluster: { 'sandbox-executor': pods.environment },
      mounts: { 'sandbox-executor': pods.mounts },
    });
  });
  afterAll(async () => {
    await installation?.close();
    await pods?.close();
    mirror?.close();
    folder.remove();
  });

  test('a second build from nothing makes the same files', async () => {
    const builder = await openBuilder('second');
    for (const name of REPEATED) {
      const repeated = await build(builder, name);
      const [first, second] = [imageOf(name), repeated].map(({ root }) => fingerprintsOf(root));
      expect(first?.size).toBeGreaterThan(0);
      expect(first && second && differencesOf(first, second)).toEqual([]);
    }
    expect(fingerprintsOf(imageOf('secrets-vault').root).size).toBeGreaterThan(1_000);
  });

  test('every service image holds Node.js and the app, and nothing else of a distribution', () => {
    for (const service of SERVICES) {
      const { root, user, workingDirectory, command } = imageOf(service);
      expect(readdirSync(root).sort()).toEqual(['app', 'etc', 'lib', 'lib64', 'tmp', 'usr']);
      expect(readdirSync(path.join(root, 'usr/bin'))).toEqual(['node']);
      expect({ user, workingDirectory, command }).toEqual({
        user: '65532:65532',
        workingDirectory: `/app/apps/${service}`,
        command: ['node', 'dist/main.js'],
      });
      const version = execFileSync(path.join(root, 'usr/bin/node'), ['--version']).toString();
      expect(version).toBe(`v${nodeVersionOf(BASE_IMAGE)}\n`);
    }
  });

  test('the image of the process inside a sandbox holds that program alone', () => {
    const { root, user, command } = imageOf('inside');
    expect(readdirSync(root)).toEqual(['inside']);
    expect({ user, command }).toEqual({ user: '65532:65532', command: ['/inside'] });
  });

  test('the images of sandboxes and of executors with bubblewrap hold the tools that they need', () => {
    const runIn = ({ root }: Image, ...command: string[]) =>
      execFileSync('bwrap', ['--bind', root, '/', '--proc', '/proc', '--dev', '/dev', ...command]).toString();
    for (const tool of ['bash', 'git', 'python3', 'node']) {
      expect(runIn(imageOf('sandbox'), tool, '--version')).toMatch(/\d+\.\d+/);
    }
    const executor = imageOf('executor-bubblewrap');
    for (const tool of ['bash', 'git', 'python3', 'node', 'bwrap', 'gcc']) {
      expect(runIn(executor, tool, '--version')).toMatch(/\d+\.\d+/);
    }
    expect(readdirSync(path.join(executor.root, executor.workingDirectory, 'dist'))).toContain('main.js');
  });

  test('the service images start with all files that they need', async () => {
    await installation.migrate();
    await installation.start();
    for (const service of SERVICES) {
      expect(await installation.readiness(service)).toMatchObject({ status: 200 });
    }
  });

  test('the service images run a race together', async () => {
    const url = `http://127.0.0.1:${installation.httpPort}`;
    const run = (...words: string[]) =>
      agentclash(words, {
        folder,
        env: { AGENTCLASH_API_URL: url, AGENTCLASH_TOKEN: TOKEN },
        timeoutMs: 240_000,
      });
    for (const words of [
      ['challenge-pack', 'publish', 'examples/challenge-packs/small-python-tasks.yaml'],
      ['deployment', 'create', '-f', 'examples/deployments/small-python-tasks.yaml'],
    ]) {
      expect(await run(...words)).toMatchObject({ code: 0 });
    }
    const race = ['--pack', 'small-python-tasks', '--deployment', 'oracle', 'idle', '--follow'];
    const { code, stdout, stderr } = await run('eval', 'start', ...race);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/1\s+oracle\s+passed/);
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-type')).toContain('text/html');
  });
});

/** The permissions and the digest or link target of each file below a folder, by its path. */
function fingerprintsOf(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (below: string) => {
    for (const { name } of readdirSync(path.join(folder, below), { withFileTypes: true })) {
      const relative = path.posix.join(below, name);
      const file = path.join(folder, relative);
      const status = lstatSync(file);
      if (status.isDirectory()) walk(relative);
      else if (status.isSymbolicLink()) found.set(relative, `-> ${readlinkSync(file)}`);
      else found.set(relative, `${(status.mode & PERMISSIONS).toString(8)} ${digestOf(file)}`);
    }
  };
  walk('');
  return found;
}

/** The paths at which two folders differ. */
function differencesOf(one: Map<string, string>, other: Map<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((file) => one.get(file) !== other.get(file));
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
