import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { waitFor } from '@agentclash/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { extract } from 'tar-stream';
import type { ImageBuild, ImageProgress } from '../image.js';
import { BUILDS } from '../testing/kubernetes/fake-cluster.js';
import { ClusterFixture } from '../testing/kubernetes/fixture.js';
import type { BuilderOptions } from './build-job.js';
import type { KubernetesProvider } from './provider.js';

const DIGEST = `sha256:${'d'.repeat(64)}`;
const BUILT = `registry.example/built@${DIGEST}`;
const OPTIONS: BuilderOptions = {
  ...{ namespace: BUILDS, image: 'builder:1', repository: 'registry.example/built', secret: 'push' },
};

let fixture: ClusterFixture;
let provider: KubernetesProvider;
let directory: string;
let lines: string[];

const builds = () => fixture.cluster.builds;

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'agentclash-job-builds-'));
  writeFileSync(path.join(directory, 'file'), 'content');
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));
beforeEach(async () => {
  lines = [];
  fixture = new ClusterFixture();
  await fixture.start('enforced', {}, { admitsRoot: true });
  provider = await fixture.open({ builds: OPTIONS });
  builds().outcomes = { push: { message: `${DIGEST}\n` } };
});
afterEach(async () => {
  await provider.close();
  await fixture.close();
});

function order(steps = 'FROM debian:12\nRUN true\n', changes: Partial<ImageBuild> = {}): ImageBuild {
  writeFileSync(path.join(directory, 'Dockerfile'), steps);
  const key = 'a'.repeat(64);
  return { key, context: directory, dockerfile: 'Dockerfile', timeoutMs: 60_000, ...changes };
}

const onProgress = ({ phase, line }: ImageProgress) => lines.push(`${phase}: ${line}`);

async function filesIn(archive: Buffer): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const entries = extract();
  entries.end(archive);
  for await (const entry of entries) found[entry.header.name] = await text(entry);
  return found;
}

describe('Dockerfiles in jobs of a cluster', () => {
  test('a Dockerfile is built by one job, from its files, and its digest is recorded for all executors', async () => {
    expect(provider.capabilities).toMatchObject({ imageBuilds: true, networkInBuilds: false });
    builds().outcomes.bases = { output: 'pulling docker.io/library/debian:12\n' };
    builds().outcomes.build = { output: 'STEP 1\nSTEP 2\n' };
    expect(await provider.buildImage(order(), { onProgress })).toBe(BUILT);
    expect(lines).toEqual(['pull: pulling docker.io/library/debian:12', 'build: STEP 1', 'build: STEP 2']);
    expect(builds().records).toEqual({ ['a'.repeat(64)]: BUILT });
    const [input = Buffer.alloc(0)] = builds().inputs;
    expect(await filesIn(input)).toEqual({ file: 'content', Dockerfile: 'FROM debian:12\nRUN true\n' });
    expect([...builds().jobs, ...builds().pods]).toEqual([]);
    const restarted = await fixture.open({ builds: OPTIONS, owner: 'executor-2' });
    expect(await restarted.buildImage(order())).toBe(BUILT);
    expect(builds().created.length).toBe(1);
    await restarted.close();
  });

  test('several executors that build the same at once make one job', async () => {
    const other = await fixture.open({ builds: OPTIONS, owner: 'executor-2' });
    const results = [provider, provider, other, other].map((each) => each.buildImage(order()));
    expect(await Promise.all(results)).toEqual([BUILT, BUILT, BUILT, BUILT]);
    expect(builds().created.length).toBe(1);
    expect([...builds().jobs]).toEqual([]);
    await other.close();
  });

  test('a job whose executor has left is made again by another that waits for it', async () => {
    const other = await fixture.open({ builds: OPTIONS, owner: 'executor-2' });
    builds().outcomes.build = { isEndless: true, output: 'begun\n' };
    const cancelled = new AbortController();
    const first = provider.buildImage(order(), { signal: cancelled.signal, onProgress });
    await waitFor(() => lines.includes('build: begun'));
    const joined: string[] = [];
    const second = other.buildImage(order(), { onProgress: ({ line = '' }) => joined.push(line) });
    await waitFor(() => joined.includes('begun'));
    builds().outcomes = { push: { message: DIGEST } };
    cancelled.abort(new Error('cancelled'));
    await expect(first).rejects.toThrow('cancelled');
    expect(await second).toBe(BUILT);
    expect(builds().created.length).toBe(2);
    expect([...builds().jobs]).toEqual([]);
    await other.close();
  });

  test('an image that its registry has lost is built again', async () => {
    await provider.buildImage(order());
    const restarted = await fixture.open({ builds: OPTIONS, owner: 'executor-2' });
    fixture.cluster.unpullable = { reason: 'ErrImagePull', message: 'manifest unknown' };
    expect(await restarted.buildImage(order())).toBe(BUILT);
    expect(builds().created.length).toBe(2);
    await restarted.close();
  });

  test('a record of another repository is not used', async () => {
    builds().records = { ['a'.repeat(64)]: `elsewhere.example/built@${DIGEST}` };
    expect(await provider.buildImage(order())).toBe(BUILT);
    expect(builds().records).toEqual({ ['a'.repeat(64)]: BUILT });
  });

  test.each([
    ['build', { exitCode: 1, output: 'the reason\n' }, 'invalid_image', /the build failed\nthe reason/],
    [
      'build',
      { exitCode: 137, reason: 'OOMKilled' },
      'invalid_image',
      /more than the 4294967296 bytes of memory/,
    ],
    ['build', { exitCode: 1, output: 'exit status 153\n' }, 'invalid_image', /17179869184 bytes of disk/],
    ['build', { exitCode: 3, output: 'unshare failed\n' }, 'unavailable', /no namespaces in its pod/],
    [
      'bases',
      { exitCode: 1, output: 'pulling docker.io/library/debian:12\nmanifest unknown\n' },
      'invalid_image',
      /docker.io\/library\/debian:12 cannot be pulled \(absent\)/,
    ],
    [
      'bases',
      { exitCode: 1, output: 'pulling a/b\ndial tcp: i/o timeout\n' },
      'unavailable',
      /a\/b cannot be pulled now/,
    ],
    [
      'push',
      { exitCode: 1, output: 'denied\n' },
      'unavailable',
      /registry does not take an image into registry.example\/built/,
    ],
    ['push', { message: 'no digest' }, 'unavailable', /registry does not take/],
    ['context', { exitCode: 2 }, 'unavailable', /did not arrive/],
  ] as const)(
    'a build that fails has an error of its own, and leaves nothing: %s %j is %s',
    async (step, outcome, code, message) => {
      builds().outcomes[step] = outcome;
      await expect(provider.buildImage(order())).rejects.toMatchObject({
        code,
        message: expect.stringMatching(message),
      });
      expect([...builds().jobs, ...builds().pods]).toEqual([]);
      expect(builds().records).toEqual({});
    },
  );

  test('a build that never ends is ended, and its job is deleted', async () => {
    builds().outcomes.build = { isEndless: true };
    await expect(provider.buildImage(order(undefined, { timeoutMs: 300 }))).rejects.toMatchObject({
      code: 'invalid_image',
      message: 'the build did not end within 300 ms',
    });
    expect([...builds().jobs, ...builds().pods]).toEqual([]);
  });

  test('a build that its node evicts for its disk is an invalid image with the limit', async () => {
    builds().outcomes.build = { isEndless: true, output: 'begun\n' };
    const evicted = provider.buildImage(order(), { onProgress });
    await waitFor(() => lines.includes('build: begun'));
    builds().evict('Pod ephemeral local storage usage exceeds the total limit of containers 16Gi.');
    await expect(evicted).rejects.toMatchObject({
      code: 'invalid_image',
      message: expect.stringContaining('17179869184 bytes of disk'),
    });
  });

  test('files beyond the disk of a build are refused before a job is created', async () => {
    const small = await fixture.open({
      builds: { ...OPTIONS, limits: { diskBytes: 1024 } },
      owner: 'executor-2',
    });
    await expect(small.buildImage(order())).rejects.toMatchObject({
      code: 'invalid_image',
      fix: expect.stringContaining('.dockerignore'),
    });
    expect(builds().created).toEqual([]);
    await small.close();
  });

  test('a provider that is closed ends its builds and deletes their jobs', async () => {
    builds().outcomes.build = { isEndless: true, output: 'begun\n' };
    const ended = provider.buildImage(order(), { onProgress });
    const result = expect(ended).rejects.toMatchObject({ code: 'unavailable' });
    await waitFor(() => lines.includes('build: begun'));
    await provider.close();
    await result;
    expect([...builds().jobs]).toEqual([]);
  });
});

describe('whether a cluster builds Dockerfiles', () => {
  test('a cluster without a builder refuses them with the next step', async () => {
    const without = await fixture.open({ owner: 'executor-2' });
    expect(without.capabilities).toMatchObject({ imageBuilds: false, networkInBuilds: false });
    await expect(without.buildImage(order())).rejects.toMatchObject({
      code: 'unsupported',
      capability: 'imageBuilds',
      fix: expect.stringContaining('SANDBOX_BUILDER_IMAGE'),
    });
    await without.close();
  });

  test.each(['jobs are forbidden', undefined])(
    'a cluster that does not admit jobs, or has no records, builds nothing, and its message is kept: %s',
    async (denial) => {
      builds().denial = denial;
      if (denial === undefined) builds().records = undefined;
      const refused = await fixture.open({ builds: OPTIONS, owner: 'executor-2' });
      expect(refused.capabilities).toMatchObject({ images: true, imageBuilds: false });
      expect(refused.buildProblem).toContain(denial ?? 'no ConfigMap agentclash-builds');
      await refused.close();
    },
  );

  test.each([
    ['none', 'enforced', false],
    ['bounded', 'enforced', true],
    ['bounded', 'not_enforced', false],
    ['any', 'not_enforced', true],
  ] as const)(
    'builds get the network "%s" where policies are %s: %s',
    async (network, enforcement, isGiven) => {
      const own = new ClusterFixture();
      await own.start(enforcement, {}, { admitsRoot: true });
      const opened = await own.open({ builds: { ...OPTIONS, network } });
      own.cluster.builds.outcomes = { push: { message: DIGEST } };
      expect(opened.capabilities.networkInBuilds).toBe(isGiven);
      const built = opened.buildImage(order(undefined, { network: 'host' }));
      if (isGiven) expect(await built).toBe(BUILT);
      else await expect(built).rejects.toMatchObject({ capability: 'networkInBuilds' });
      await opened.close();
      await own.close();
    },
  );
});
