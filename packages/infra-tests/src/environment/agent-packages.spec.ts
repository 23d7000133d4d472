import { executorConfig } from '@agentclash/sandbox-executor';
import { expect, test } from '@jest/globals';
import { type ObjectOf, ofKind } from '../manifests/kinds.js';
import { workloadsOf } from '../manifests/manifest.js';
import { renderAgentPackages, renderOverlay } from '../manifests/render.js';
import { describeWithKubectl } from '../requirements.js';
import { environmentOf } from './resolve.js';

const CREDENTIALS = { NATS_NKEY_SEED: '' };

describeWithKubectl('The volume of agent packages', () => {
  const manifests = renderAgentPackages('prod-core');
  const volumes = ofKind(manifests, 'PersistentVolume');
  const executor = workloadsOf(manifests).find(({ name }) => name === 'sandbox-executor');
  const [container] = executor?.pod.containers ?? [];
  const settings = container ? environmentOf(manifests, container).values : {};

  const claimIn = (namespace: string | undefined, name: string | undefined) =>
    ofKind(manifests, 'PersistentVolumeClaim').find(
      ({ metadata }) => metadata.namespace === namespace && metadata.name === name,
    );

  test('The volume of agent packages is mounted where the executor keeps them, and may be written there', () => {
    const mount = container?.volumeMounts?.find(({ mountPath }) => mountPath === settings.AGENT_PACKAGES_DIR);
    const volume = executor?.pod.volumes?.find(({ name }) => name === mount?.name);
    expect(mount?.readOnly ?? false).toBe(false);
    const claim = claimIn(executor?.namespace, volume?.persistentVolumeClaim?.claimName);
    expect(claim?.spec.accessModes).toEqual(['ReadWriteMany']);
  });

  test('The volume of agent packages is claimed for sandboxes in their own namespace, to be read only', () => {
    const claim = claimIn(settings.SANDBOX_NAMESPACE, settings.AGENT_PACKAGES_CLAIM);
    expect(claim?.spec.accessModes).toEqual(['ReadOnlyMany']);
    const choice = executorConfig({ ...settings, ...CREDENTIALS }).sandbox;
    expect(choice.agentPackagesDirectory).toBe('/agent-packages');
  });

  test('The volume of agent packages holds the same files for both claims, and each volume is for its claim only', () => {
    const bound = volumes.map((volume) => {
      const { namespace, name } = volume.spec.claimRef ?? {};
      return { volume, claim: claimIn(namespace, name) };
    });
    expect(bound.map(({ claim }) => claim?.metadata.namespace)).toEqual([
      'agentclash',
      'agentclash-sandboxes',
    ]);
    for (const { volume, claim } of bound) {
      expect(claim?.spec.volumeName).toBe(volume.metadata.name);
      // With the class of the cluster a claim would wait for another volume.
      expect([claim?.spec.storageClassName, volume.spec.storageClassName]).toEqual(['', '']);
      expect(volume.spec.accessModes).toEqual(claim?.spec.accessModes);
    }
    const [written, read] = volumes.map(({ spec }) => spec.nfs);
    expect(read).toEqual({ ...written, readOnly: true });
    expect(written?.readOnly).toBe(false);
  });

  test('The volume of agent packages is the only claim that the quota of sandboxes admits, and adds no right', () => {
    const claimsMax = (of: typeof manifests) =>
      ofKind(of, 'ResourceQuota').map(({ spec }) => spec.hard.persistentvolumeclaims);
    const without = renderOverlay('prod-core');
    expect([claimsMax(without), claimsMax(manifests)]).toEqual([['0'], ['1']]);
    const rights = (of: typeof manifests): ObjectOf<'Role'>[] => ofKind(of, 'Role');
    expect(rights(manifests)).toEqual(rights(without));
  });
});
