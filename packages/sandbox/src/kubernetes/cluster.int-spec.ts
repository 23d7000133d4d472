import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from '@agentclash/testkit';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { EXPOSED_EXIT } from '../inside/lifetime.js';
import { ClusterFixture } from '../testing/kubernetes/fixture.js';
import { ANNOTATION } from './objects.js';

const SPEC = {
  limits: { cpu: 1, memoryBytes: 64 << 20, pids: 64, workspaceBytes: 1 << 20 },
  labels: { runId: 'run-1', attemptId: 'attempt-1' },
};

let fixture: ClusterFixture;
beforeEach(() => {
  fixture = new ClusterFixture();
});
afterEach(() => fixture.close());

describe('whether the cluster keeps pods off the network', () => {
  test.each([
    ['enforced', 'enforced', true],
    ['not_enforced', 'not_enforced', false],
    ['unreachable', 'unproven', false],
  ] as const)(
    'a canary finds out whether the cluster enforces network policies: %s',
    async (network, enforcement, mayProxy) => {
      await fixture.start(network);
      const provider = await fixture.open();
      expect(provider.enforcement).toBe(enforcement);
      expect(provider.capabilities.egressProxy).toBe(mayProxy);
      const proxied = { ...SPEC, network: { kind: 'proxied', proxy: { serve: () => {} } } } as const;
      if (!mayProxy) {
        await expect(provider.create(proxied)).rejects.toMatchObject({ code: 'unsupported' });
      }
      expect(fixture.cluster.pods.list()).toEqual([]);
      expect(fixture.cluster.policies.list().map(({ metadata }) => metadata.name)).toEqual([
        'agentclash-sandboxes',
      ]);
      await provider.close();
    },
  );
});

test('a pod of an earlier process of its owner is removed; those of others stay until their lease has run out', async () => {
  await fixture.start();
  const other = await fixture.open({ owner: 'executor-2' });
  const kept = await other.create(SPEC);
  const expired = await other.create(SPEC);
  const crashed = await fixture.open();
  const lost = await crashed.create(SPEC);
  const pod = fixture.cluster.pods.get(expired.id);
  if (!pod) throw new Error('there is no pod');
  const annotations = { ...pod.metadata.annotations, [ANNOTATION.leaseUntil]: '2020-01-01T00:00:00Z' };
  fixture.cluster.pods.put({ ...pod, metadata: { ...pod.metadata, annotations } });

  const next = await fixture.open();
  expect(fixture.cluster.pods.list().map(({ metadata }) => metadata.name)).toEqual([kept.id]);
  expect(await lost.ended).toMatchObject({ death: 'killed' });
  await Promise.all([next.close(), crashed.close(), other.close()]);
});

test('a clock that jumps on one machine has no pod deleted', async () => {
  await fixture.start();
  const other = await fixture.open({ owner: 'executor-2' });
  const old = await other.create(SPEC);
  const clock = jest.spyOn(Date, 'now');
  try {
    clock.mockReturnValue(Date.parse('2001-01-01T00:00:00Z'));
    const young = await other.create(SPEC);
    clock.mockReturnValue(Date.parse('2100-01-01T00:00:00Z'));
    const sweeping = await fixture.open();
    expect(await sweeping.reap()).toEqual({ removed: [] });
    for (const session of [old, young]) expect((await session.exec(['true'])).exitCode).toBe(0);
    await sweeping.close();
  } finally {
    clock.mockRestore();
  }
  await other.close();
});

test('a renewed lease is known in the cluster too', async () => {
  await fixture.start();
  const provider = await fixture.open();
  const session = await provider.create(SPEC);
  const leaseOf = () =>
    fixture.cluster.pods.get(session.id)?.metadata.annotations?.[ANNOTATION.leaseUntil] ?? '';
  const before = Date.parse(leaseOf());
  expect(before - Date.now()).toBeGreaterThan(50_000);
  await provider.close();
});

test('a pod that its node has killed for memory ends as oom', async () => {
  await fixture.start();
  const provider = await fixture.open();
  const session = await provider.create(SPEC);
  await fixture.cluster.killPod(session.id, 'OOMKilled');
  expect(await session.ended).toMatchObject({ death: 'oom' });
  await waitFor(() => fixture.cluster.pods.list().length === 0);
  await provider.close();
});

test('a pod that its node has evicted ends with the reason of the node', async () => {
  await fixture.start();
  const provider = await fixture.open();
  const session = await provider.create(SPEC);
  const message = 'Pod ephemeral local storage usage exceeds the total limit of containers 80Mi.';
  await fixture.cluster.killPod(session.id, 'Error', { reason: 'Evicted', message });
  expect(await session.ended).toMatchObject({
    death: 'killed',
    detail: expect.stringContaining(`Evicted: ${message}`),
  });
  await waitFor(() => fixture.cluster.pods.list().length === 0);
  await provider.close();
});

test('a pod that cannot start is reported, and nothing of it stays', async () => {
  await fixture.start();
  const provider = await fixture.open();
  const tooSmall = { ...SPEC, filesystem: { workingDirectory: '/usr/lib/x' } };
  await expect(provider.create(tooSmall)).rejects.toMatchObject({ code: 'unsupported' });
  const aborted = provider.create(SPEC, { signal: AbortSignal.timeout(1) });
  await expect(aborted).rejects.toThrow();
  expect(fixture.cluster.pods.list()).toEqual([]);
  await provider.close();
});

test('a pod that fits on no node is unavailable with the message of the scheduler, and nothing of it stays', async () => {
  await fixture.start();
  const provider = await fixture.open({ startTimeoutMs: 1_000 });
  fixture.cluster.unschedulable = '0/1 nodes are available: 1 Insufficient cpu.';
  const failed = provider.create(SPEC);
  await expect(failed).rejects.toMatchObject({
    code: 'unavailable',
    message: 'no node of the cluster has capacity for a sandbox',
    fix: expect.stringContaining('SANDBOX_CPU_REQUEST_SHARE'),
  });
  const cause = await failed.catch((error) => String(error.cause));
  expect(cause).toBe('Error: Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.');
  expect(fixture.cluster.pods.list()).toEqual([]);
  await provider.close();
});

test('a runtime on which commands could open the streams of the process inside gets no sandbox', async () => {
  await fixture.start();
  const provider = await fixture.open();
  fixture.cluster.insideExit = EXPOSED_EXIT;
  await expect(provider.create(SPEC)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'code in a sandbox could forge results on this runtime',
    fix: expect.stringContaining('SANDBOX_RUNTIME_CLASS'),
  });
  expect(fixture.cluster.pods.list()).toEqual([]);
  await provider.close();
});

test('a refusal of the cluster is reported with its message, for the log', async () => {
  await fixture.start();
  const access = { url: fixture.url, token: async () => 'wrong' };
  const refused = fixture.open({ access });
  await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
  await expect(refused.catch((error) => String(error.cause))).resolves.toMatch(/401/);
});

describe('directories of the host in pods', () => {
  test('a cluster without a claim shows no directory, and one whose claim holds the directory does', async () => {
    await fixture.start();
    const without = await fixture.open();
    expect(without.capabilities.hostDirectories).toBe(false);
    const shown = { ...SPEC, directories: [{ source: '/opt/x', path: '/opt/x' }] };
    await expect(without.create(shown)).rejects.toMatchObject({
      code: 'unsupported',
      capability: 'hostDirectories',
    });
    await without.close();

    const provider = await fixture.open({ directories: fixture.claim });
    expect(provider.capabilities.hostDirectories).toBe(true);
    expect(readdirSync(fixture.claim.directory)).toEqual([]);
    expect(fixture.cluster.pods.list()).toEqual([]);
    await provider.close();
  });

  test('a claim that the cluster lacks is refused at start with the message of the cluster, and nothing stays', async () => {
    await fixture.start();
    const refused = fixture.open({ directories: { ...fixture.claim, name: 'misspelt' } });
    await expect(refused).rejects.toMatchObject({
      code: 'unavailable',
      message: 'pods cannot read AGENT_PACKAGES_DIR from the claim misspelt',
      fix: expect.stringContaining('AGENT_PACKAGES_CLAIM'),
    });
    const cause = await refused.catch((error) => String(error.cause));
    expect(cause).toContain('persistentvolumeclaim "misspelt" not found');
    expect(fixture.cluster.pods.list()).toEqual([]);
    expect(readdirSync(fixture.claim.directory)).toEqual([]);
  });

  test('a claim whose volume is not the directory of the executor is refused at start', async () => {
    await fixture.start();
    const directory = path.join(fixture.claim.directory, 'elsewhere');
    const refused = fixture.open({ directories: { ...fixture.claim, directory } });
    await expect(refused).rejects.toMatchObject({
      code: 'unavailable',
      fix: expect.stringContaining('mounted at AGENT_PACKAGES_DIR'),
    });
    const right = { ...fixture.claim, directory, path: 'elsewhere' };
    const provider = await fixture.open({ directories: right });
    await provider.close();
  });

  test('a directory that cannot be written is refused at start', async () => {
    await fixture.start();
    const file = path.join(fixture.claim.directory, 'file');
    writeFileSync(file, '');
    await expect(fixture.open({ directories: { ...fixture.claim, directory: file } })).rejects.toMatchObject({
      code: 'unavailable',
      message: 'AGENT_PACKAGES_DIR cannot be written',
    });
  });
});

describe('packages of an image', () => {
  const status =
    'Package: jq\nStatus: install ok installed\n\nPackage: gone\nStatus: deinstall ok config-files\n';
  const lists = { 'debian:12': status };

  test('packages of an image are served as they are; others are refused by name, with the next step', async () => {
    await fixture.start('enforced', lists);
    const provider = await fixture.open({ templates: { bare: 'alpine' } });
    expect([...(await provider.installedPackages())]).toEqual(['jq']);
    expect([...(await provider.installedPackages('bare'))]).toEqual([]);
    expect(provider.installsPackages()).toBe(false);
    const session = await provider.create({ ...SPEC, packages: ['jq'] });
    await session.ping();
    for (const [refused, template] of [['gone'], ['cowsay'], ['jq', 'bare']]) {
      const wish = { ...SPEC, packages: ['jq', refused ?? ''], ...(template && { template }) };
      await expect(provider.create(wish)).rejects.toMatchObject({
        code: 'unsupported',
        capability: 'packages',
        message: expect.stringContaining(refused ?? ''),
        fix: expect.stringContaining('SANDBOX_TEMPLATES'),
      });
    }
    expect(fixture.cluster.pods.list().map(({ metadata }) => metadata.name)).toEqual([session.id]);
    await provider.close();
  });

  test('packages of an image are looked up by one pod per image, however many requests there are', async () => {
    await fixture.start('enforced', lists);
    const provider = await fixture.open();
    const opened = jest.spyOn(fixture.cluster.pods, 'put');
    await Promise.all([provider.installedPackages(), provider.installedPackages()]);
    await provider.installedPackages();
    const names = opened.mock.calls.map(([pod]) => pod.metadata.name);
    expect(new Set(names).size).toBe(1);
    await provider.close();
  });

  test('an image has no packages as long as no pod of it starts, which is reported, and no caller waits for it', async () => {
    await fixture.start('enforced', lists);
    const problems: string[] = [];
    const provider = await fixture.open({ onProblem: (message) => problems.push(message) });
    await fixture.cluster.close();
    expect([...(await provider.installedPackages())]).toEqual([]);
    expect(problems).toContain('package query of the default image failed');
    await provider.close().catch(() => {});
  });
});

describe('images of packs in pods', () => {
  const reference = `registry.example/app@sha256:${'a'.repeat(64)}`;

  test('a namespace that refuses pods of images gives none, and its message is kept for the operator', async () => {
    await fixture.start();
    const provider = await fixture.open({ allowsRootOfNode: true });
    expect(provider.capabilities).toMatchObject({ images: false, rootInImages: false });
    expect(provider.imageProblem).toContain('PodSecurity');
    await expect(provider.create({ ...SPEC, image: { reference } })).rejects.toMatchObject({
      code: 'unsupported',
      capability: 'images',
    });
    await expect(provider.prepareImage(reference)).rejects.toMatchObject({ code: 'unsupported' });
    await provider.close();
  });

  test.each([
    [{ hasUserNamespaces: false }, false],
    [{ hasUserNamespaces: true }, true],
    [{ hasUserNamespaces: false, isStronglyIsolated: true }, true],
    [{ hasUserNamespaces: false, allowsRootOfNode: true }, true],
  ])(
    'root in images needs a boundary of its own or the setting of the operator: %j',
    async (options, isGiven) => {
      await fixture.start('enforced', {}, { admitsRoot: true });
      const provider = await fixture.open(options);
      expect(provider.capabilities).toMatchObject({ images: true, rootInImages: isGiven });
      await provider.close();
    },
  );

  test('an image that a node cannot pull is refused with the message of its runtime, and nothing stays', async () => {
    await fixture.start('enforced', {}, { admitsRoot: true });
    const provider = await fixture.open();
    fixture.cluster.unpullable = { reason: 'ErrImagePull', message: 'manifest unknown' };
    const failed = provider.create({ ...SPEC, image: { reference } });
    await expect(failed).rejects.toMatchObject({
      code: 'invalid_image',
      message: `the image ${reference} does not exist`,
    });
    await expect(failed.catch((error) => String(error.cause))).resolves.toContain('manifest unknown');
    await expect(provider.prepareImage('Not a name')).rejects.toMatchObject({ code: 'invalid_image' });
    await expect(provider.create(SPEC)).rejects.toMatchObject({ code: 'unavailable' });
    expect(fixture.cluster.pods.list()).toEqual([]);
    await provider.close();
  });
});
