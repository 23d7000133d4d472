import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { agentclash, StackFolder } from '@agentclash/e2e';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readBake } from '../dockerfile/bake.js';
import { differencesOf, fingerprintsOf } from '../dockerfile/fingerprints.js';
import { type Image, Kitchen } from '../dockerfile/kitchen.js';
import { fetchNode, nodeVersionOf } from '../dockerfile/node-binary.js';
import { readRecipe } from '../dockerfile/recipe.js';
import { hasKubectl, renderOverlay } from '../manifests/render.js';
import { repository } from '../repository.js';
import { imagePlace } from './container.js';
import { Installation, SERVICES } from './installation.js';
import { Pods } from './pods.js';

const HOUR_MS = 3_600_000;
jest.setTimeout(HOUR_MS);

const DOCKER = path.join(repository, 'infra/docker');
const TOKEN = 'ac_development_admin';
/** The smallest; what could differ is the same for all. */
const REPEATED = 'secrets-vault';

// Every image is built from the lockfile on: minutes for each.
(hasKubectl() ? describe : describe.skip)('the images that the Dockerfile makes', () => {
  const place = new StackFolder();
  const images = new Map<string, Image>();
  let pods: Pods;
  let installation: Installation;
  let node: string;
  const recipe = readRecipe(path.join(DOCKER, 'Dockerfile'));
  const nodeVersion = nodeVersionOf(recipe.arguments.NODE_IMAGE ?? '');

  /** Shares nothing with other builds: what they leave, or take away, decides nothing here. */
  const kitchenIn = (name: string) =>
    new Kitchen({
      recipe,
      node,
      context: repository,
      ignoreFile: path.join(DOCKER, 'Dockerfile.dockerignore'),
      folder: path.join(place.path, name, 'images'),
      cache: path.join(place.path, name, 'cache'),
    });
  const targets = readBake(path.join(DOCKER, 'docker-bake.json'));
  const build = (kitchen: Kitchen, service: string) => {
    const { target = '', args = {} } = targets[service] ?? {};
    return kitchen.image(target, args);
  };

  beforeAll(async () => {
    node = await fetchNode(nodeVersion, path.join(place.path, 'node'));
    const kitchen = kitchenIn('first');
    for (const service of SERVICES) images.set(service, await build(kitchen, service));
    pods = await Pods.start();
    installation = await Installation.open({
      manifests: renderOverlay('dev'),
      folder: place.path,
      placeOf: (service) => imagePlace(imageOf(service)),
      fromCluster: { 'sandbox-executor': pods.environment },
      mounts: { 'sandbox-executor': pods.mounts },
    });
  });
  afterAll(async () => {
    await installation?.close();
    await pods?.close();
    place.remove();
  });

  function imageOf(service: string): Image {
    const image = images.get(service);
    if (image === undefined) throw new Error(`no image of ${service}`);
    return image;
  }

  test('are the same files when they are made again from nothing', async () => {
    const again = await build(kitchenIn('again'), REPEATED);
    const [first, second] = [imageOf(REPEATED), again].map(({ root }) => fingerprintsOf(root));
    expect(first?.size).toBeGreaterThan(1_000);
    expect(first && second && differencesOf(first, second)).toEqual([]);
  });

  test('hold all that every service needs, and nothing of a distribution', async () => {
    expect([...images.values()].filter(({ isFromScratch }) => !isFromScratch)).toEqual([]);
    for (const { root } of images.values()) {
      const version = execFileSync(path.join(root, 'usr/bin/node'), ['--version']).toString();
      expect(version).toBe(`v${nodeVersion}\n`);
    }
    await installation.migrate();
    await installation.start();
    for (const service of SERVICES) {
      expect(await installation.readiness(service)).toMatchObject({ status: 200 });
    }
  });

  test('run a race together', async () => {
    const url = `http://127.0.0.1:${installation.httpPort}`;
    const run = (...words: string[]) =>
      agentclash(words, {
        folder: place,
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
