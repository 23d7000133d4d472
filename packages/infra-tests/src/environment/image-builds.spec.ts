import { executorConfig } from '@agentclash/sandbox-executor';
import { expect, test } from '@jest/globals';
import { ofKind } from '../manifests/kinds.js';
import { workloadsOf } from '../manifests/manifest.js';
import { renderImageBuilds, renderOverlay } from '../manifests/render.js';
import { describeWithKubectl } from '../requirements.js';
import { environmentOf } from './resolve.js';

const CREDENTIALS = { NATS_NKEY_SEED: '' };
const BUILDS = 'agentclash-builds';

describeWithKubectl('the component image-builds', () => {
  const manifests = renderImageBuilds('prod-core');
  const inBuilds = <T extends { metadata: { namespace: string } }>(objects: T[]): T[] =>
    objects.filter(({ metadata }) => metadata.namespace === BUILDS);

  test('the example of the guide configures the builder of executors, in the namespace of the component', () => {
    const executor = workloadsOf(manifests).find(({ name }) => name === 'sandbox-executor');
    const [container] = executor?.pod.containers ?? [];
    const settings = container ? environmentOf(manifests, container).values : {};
    expect(settings).toMatchObject({
      SANDBOX_BUILDER_IMAGE: 'registry.example.com/agentclash/builder:1',
      SANDBOX_BUILDER_REPOSITORY: 'registry.example.com/agentclash/built',
      SANDBOX_BUILDER_NAMESPACE: BUILDS,
    });
    expect(() => executorConfig({ ...settings, ...CREDENTIALS })).not.toThrow();
    expect(inBuilds(ofKind(manifests, 'ConfigMap')).map(({ metadata }) => metadata.name)).toEqual([BUILDS]);
  });

  test('executors have exactly the rights of builds there, and no others than before elsewhere', () => {
    const [role] = inBuilds(ofKind(manifests, 'Role'));
    const rights = role?.rules.map(
      ({ apiGroups, resources, resourceNames, verbs }) =>
        `${apiGroups}/${resources} ${resourceNames}: ${verbs.toSorted()}`,
    );
    expect(rights).toEqual([
      'batch/jobs : create,delete,get',
      '/pods : get,list,watch',
      '/pods/attach : create,get',
      '/pods/log : get',
      '/configmaps agentclash-builds: get,patch',
    ]);
    const [binding] = inBuilds(ofKind(manifests, 'RoleBinding'));
    expect(binding?.subjects).toEqual([
      expect.objectContaining({ kind: 'ServiceAccount', name: 'sandbox-executor', namespace: 'agentclash' }),
    ]);
    const others = ofKind(manifests, 'Role').filter(({ metadata }) => metadata.namespace !== BUILDS);
    expect(others).toEqual(ofKind(renderOverlay('prod-core'), 'Role'));
  });

  test('only the namespace of builds admits what a builder needs, its account has no token, and a quota bounds it', () => {
    const standards = ofKind(manifests, 'Namespace').map(({ metadata }) => [
      metadata.name,
      metadata.labels['pod-security.kubernetes.io/enforce'],
    ]);
    expect(standards).toEqual([
      ['agentclash', 'restricted'],
      [BUILDS, 'privileged'],
      ['agentclash-sandboxes', 'baseline'],
    ]);
    const accounts = inBuilds(ofKind(manifests, 'ServiceAccount'));
    expect(accounts.map((account) => account.automountServiceAccountToken)).toEqual([false]);
    const [quota] = inBuilds(ofKind(manifests, 'ResourceQuota'));
    expect(Object.keys(quota?.spec.hard ?? {})).toEqual(
      expect.arrayContaining(['pods', 'limits.cpu', 'limits.memory', 'limits.ephemeral-storage']),
    );
  });

  test('pods of builds reach names, registries at public addresses, and the registry that the overlay names', () => {
    const policies = inBuilds(ofKind(manifests, 'NetworkPolicy'));
    const cidrs = policies.flatMap(({ spec }) =>
      spec.egress.flatMap(({ to = [], ports = [] }) =>
        to.flatMap(({ ipBlock }) => (ipBlock ? [`${ipBlock.cidr} ${ports.map(({ port }) => port)}`] : [])),
      ),
    );
    expect(cidrs).toEqual(['0.0.0.0/0 443,80', '2000::/3 443,80', '10.30.0.5/32 443']);
    const internet = ofKind(renderOverlay('prod-core'), 'NetworkPolicy').find(
      ({ metadata }) => metadata.name === 'internet',
    );
    const builders = policies.find(({ metadata }) => metadata.name === 'builders');
    expect(builders?.spec.egress.at(-1)).toEqual(internet?.spec.egress[0]);
    expect(policies.flatMap(({ spec }) => spec.ingress)).toEqual([]);
    const denying = policies.find(({ metadata }) => metadata.name === 'deny-all');
    expect(denying?.spec.podSelector).toEqual({ matchLabels: {}, matchExpressions: [] });
  });
});
