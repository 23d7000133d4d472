import path from 'node:path';
import { agentclash, Place } from '@agentclash/e2e';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readBake } from '../dockerfile/bake.js';
import { type Image, Kitchen } from '../dockerfile/kitchen.js';
import { readRecipe } from '../dockerfile/recipe.js';
import { hasKubectl, renderOverlay } from '../manifests/render.js';
import { repository } from '../repository.js';
import { isNightly } from './config.js';
import { imagePlace } from './container.js';
import { Installation, SERVICES } from './installation.js';
import { Pods } from './pods.js';

const HOUR_MS = 3_600_000;
jest.setTimeout(HOUR_MS);

const DOCKER = path.join(repository, 'infra/docker');
const TOKEN = 'ac_development_admin';

// Every image is built from the lockfile on: minutes for each.
(isNightly && hasKubectl() ? describe : describe.skip)('the images that the Dockerfile makes', () => {
  const place = new Place();
  const images = new Map<string, Image>();
  let pods: Pods;
  let installation: Installation;

  beforeAll(async () => {
    const kitchen = new Kitchen({
      recipe: readRecipe(path.join(DOCKER, 'Dockerfile')),
      context: repository,
      ignoreFile: path.join(DOCKER, 'Dockerfile.dockerignore'),
      folder: path.join(place.folder, 'images'),
      // One of its own: what another build leaves, or takes away, decides nothing here.
      cache: path.join(place.folder, 'cache'),
    });
    const targets = readBake(path.join(DOCKER, 'docker-bake.json'));
    for (const service of SERVICES) {
      const { target = '', args = {} } = targets[service] ?? {};
      images.set(service, await kitchen.image(target, args));
    }
    pods = await Pods.start();
    installation = await Installation.open({
      manifests: renderOverlay('dev'),
      folder: place.folder,
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

  test('hold all that every service needs, and nothing of a distribution', async () => {
    expect([...images.values()].filter(({ isFromScratch }) => !isFromScratch)).toEqual([]);
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
        place,
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
