import { waitFor } from '@agentclash/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ClusterFixture } from '../testing/kubernetes/fixture.js';
import { ANNOTATION } from './objects.js';

const SPEC = {
  limits: { cpu: 1, memoryBytes: 64 << 20, pids: 64, workspaceBytes: 1 << 20 },
  labels: { runId: 'run-1', attemptId: 'attempt-1' },
};

describe('sandboxes as the resource Sandbox of agents.x-k8s.io', () => {
  let fixture: ClusterFixture;
  beforeEach(() => {
    fixture = new ClusterFixture();
  });
  afterEach(() => fixture.close());

  const start = (sandboxes: 'controlled' | 'uncontrolled' | undefined) =>
    fixture.start('enforced', {}, { sandboxes });

  test('a sandbox is an object that the cluster removes after its lease, and its pod is that of a sandbox', async () => {
    await start('controlled');
    const provider = await fixture.open({ objects: 'sandboxes' });
    const before = Date.now();
    const session = await provider.create(SPEC);
    expect((await session.exec(['echo', 'hello'])).stdout.toString()).toBe('hello\n');
    const [object] = fixture.cluster.sandboxes.list();
    expect(object).toMatchObject({
      apiVersion: 'agents.x-k8s.io/v1beta1',
      kind: 'Sandbox',
      metadata: { name: session.id },
      spec: { service: false, shutdownPolicy: 'Delete' },
    });
    const shutdownAt = Date.parse(object?.spec.shutdownTime ?? '');
    expect(shutdownAt).toBeGreaterThan(before + 60_000);
    expect(object?.spec.shutdownTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const [pod] = fixture.cluster.pods.list();
    expect(pod?.metadata.labels).toEqual(object?.metadata.labels);
    await session.destroy();
    expect(fixture.cluster.sandboxes.list()).toEqual([]);
    expect(fixture.cluster.pods.list()).toEqual([]);
    await provider.close();
  });

  test('what an earlier process of the owner left is removed, and those of others until their lease has run out', async () => {
    await start('controlled');
    const other = await fixture.open({ objects: 'sandboxes', owner: 'executor-2' });
    const kept = await other.create(SPEC);
    const expired = await other.create(SPEC);
    const crashed = await fixture.open({ objects: 'sandboxes' });
    await crashed.create(SPEC);
    const object = fixture.cluster.sandboxes.get(expired.id);
    if (object === undefined) throw new Error('there is no object');
    const annotations = { ...object.metadata.annotations, [ANNOTATION.leaseUntil]: '2020-01-01T00:00:00Z' };
    fixture.cluster.sandboxes.put({ ...object, metadata: { ...object.metadata, annotations } });

    const next = await fixture.open({ objects: 'sandboxes' });
    expect(fixture.cluster.sandboxes.list().map(({ metadata }) => metadata.name)).toEqual([kept.id]);
    await waitFor(() => fixture.cluster.pods.list().length === 1);
    for (const provider of [other, crashed, next]) await provider.close();
  });

  test('a cluster without the resource is refused at start, with the next step', async () => {
    await start(undefined);
    await expect(fixture.open({ objects: 'sandboxes' })).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the cluster has no resource Sandbox of agents.x-k8s.io/v1beta1',
      fix: expect.stringContaining('SANDBOX_OBJECTS'),
    });
  });

  test('a cluster whose controller does not run is unavailable, and nothing stays', async () => {
    await start('uncontrolled');
    const provider = await fixture.open({ objects: 'sandboxes', startTimeoutMs: 1_000 });
    await expect(provider.create(SPEC)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'agent-sandbox has made no pod for a sandbox',
      fix: expect.stringContaining('controller'),
    });
    expect(fixture.cluster.sandboxes.list()).toEqual([]);
    await provider.close();
  });
});
