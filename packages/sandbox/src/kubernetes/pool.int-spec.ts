import { waitFor } from '@agentclash/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ClusterFixture } from '../testing/kubernetes/fixture.js';
import { ANNOTATION } from './objects.js';

const SPEC = {
  limits: { cpu: 1, memoryBytes: 64 << 20, pids: 64, workspaceBytes: 1 << 20, wallMs: 600_000 },
  labels: { runId: 'run-1', attemptId: 'attempt-1' },
};
const SOON = { timeoutMs: 20_000 };
/** Longer than any test. */
const IDLE_MS = 600_000;

describe.each(['pods', 'sandboxes'] as const)('a pool of pods that wait for sandboxes, as %s', (objects) => {
  let fixture: ClusterFixture;
  beforeEach(async () => {
    fixture = new ClusterFixture();
    await fixture.start('enforced', {}, { sandboxes: 'controlled' });
  });
  afterEach(() => fixture.close());

  const open = (size: number, idleMs = IDLE_MS) =>
    fixture.open({ objects, pool: { size, sizeMax: 2 * size, idleMs } });
  const names = () => fixture.cluster.pods.list().map(({ metadata }) => metadata.name);
  const isRunning = (name: string) =>
    fixture.cluster.pods.get(name)?.status?.containerStatuses?.[0]?.state?.running !== undefined;

  /** A provider whose second sandbox has filled the pool, without a sandbox. */
  async function filled(size: number) {
    const provider = await open(size);
    for (let round = 0; round < 2; round++) await (await provider.create(SPEC)).destroy();
    await waitFor(() => names().length === size && names().every(isRunning), SOON);
    return provider;
  }

  test('pods are started with the second sandbox of a kind, and none is used twice', async () => {
    const provider = await open(2);
    await (await provider.create(SPEC)).destroy();
    expect(names()).toEqual([]);
    const ids = new Set<string>();
    for (let round = 0; round < 5; round++) {
      const session = await provider.create(SPEC);
      ids.add(session.id);
      const { stdout } = await session.exec(['sh', '-c', 'ls; echo x > left']);
      expect(stdout.toString()).toBe('');
      await session.destroy();
    }
    expect(ids.size).toBe(5);
    await waitFor(() => names().length === 2, SOON);
    expect(names().filter((name) => ids.has(name))).toEqual([]);
    await provider.close();
    expect(names()).toEqual([]);
  });

  test('a pod that has waited becomes the sandbox of its attempt, with its lease', async () => {
    const provider = await filled(1);
    const [waiting = ''] = names();
    const session = await provider.create({ ...SPEC, leaseMs: 50_000 });
    expect(session.id).toBe(waiting);
    const annotations = fixture.cluster.pods.get(waiting)?.metadata.annotations ?? {};
    const ofAttempt = { [ANNOTATION.runId]: 'run-1', [ANNOTATION.attemptId]: 'attempt-1' };
    if (objects === 'pods') expect(annotations).toMatchObject(ofAttempt);
    else expect(fixture.cluster.sandboxes.get(waiting)?.metadata.annotations).toMatchObject(ofAttempt);
    expect((await session.exec(['echo', 'hello'])).stdout.toString()).toBe('hello\n');
    await provider.close();
    expect(names()).toEqual([]);
  });

  test('a sandbox of another kind gets no pod of the pool', async () => {
    const provider = await filled(1);
    const [waiting = ''] = names();
    const others = [
      { ...SPEC, limits: { ...SPEC.limits, memoryBytes: 128 << 20 } },
      { ...SPEC, limits: { ...SPEC.limits, pids: 32 } },
      { ...SPEC, filesystem: { workingDirectory: '/elsewhere' } },
    ];
    for (const spec of others) {
      const session = await provider.create(spec);
      expect(session.id).not.toBe(waiting);
      await session.destroy();
    }
    expect(names()).toContain(waiting);
    await provider.close();
  });

  test('a pod that has ended while it waited is removed, and another becomes the sandbox', async () => {
    const provider = await filled(1);
    const [waiting = ''] = names();
    await fixture.cluster.killPod(waiting, 'Error');
    const session = await provider.create(SPEC);
    expect(session.id).not.toBe(waiting);
    expect((await session.exec(['true'])).exitCode).toBe(0);
    await waitFor(() => !names().includes(waiting), SOON);
    await provider.close();
  });

  test('a reap leaves pods that wait to their executor, and the next process of that executor removes them', async () => {
    const crashed = await filled(1);
    expect(await crashed.reap()).toEqual({ removed: [] });
    const other = await fixture.open({ objects, owner: 'executor-2' });
    expect(names()).toHaveLength(1);
    const next = await fixture.open({ objects });
    await waitFor(() => names().length === 0, SOON);
    for (const provider of [other, next, crashed]) await provider.close();
  });

  test('pods that wait are removed when no sandbox of their kind was requested for a while', async () => {
    const provider = await open(1, 500);
    for (let round = 0; round < 2; round++) await (await provider.create(SPEC)).destroy();
    await waitFor(() => names().length === 0, SOON);
    await provider.close();
  });
});
