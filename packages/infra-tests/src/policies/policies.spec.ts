import { describe, expect, test } from '@jest/globals';
import { ofKind } from '../manifests/kinds.js';
import { type Manifest, workloadsOf } from '../manifests/manifest.js';
import { hasKubectl, OVERLAYS, renderGuide, renderOverlay, renderWith } from '../manifests/render.js';
import { BREACHES_OF_ACCESS_TO_THE_CLUSTER } from './access.breaches.js';
import { ACCESS_TO_THE_CLUSTER } from './access.js';
import { BREACHES_OF_AVAILABILITY } from './availability.breaches.js';
import { AVAILABILITY } from './availability.js';
import type { Breaches } from './breach.js';
import { BREACHES_OF_BUS } from './bus.breaches.js';
import { BUS } from './bus.js';
import { BREACHES_OF_EXPOSURE } from './exposure.breaches.js';
import { EXPOSURE } from './exposure.js';
import { BREACHES_OF_FILES } from './files.breaches.js';
import { FILES } from './files.js';
import { BREACHES_OF_MEMORY } from './memory.breaches.js';
import { MEMORY } from './memory.js';
import { BREACHES_OF_MIGRATIONS } from './migrations.breaches.js';
import { MIGRATIONS } from './migrations.js';
import { BREACHES_OF_MONITORING } from './monitoring.breaches.js';
import { MONITORING } from './monitoring.js';
import { BREACHES_OF_NAMESPACES } from './namespaces.breaches.js';
import { NAMESPACES } from './namespaces.js';
import { BREACHES_OF_POD_SECURITY } from './pod-security.breaches.js';
import { POD_SECURITY } from './pod-security.js';
import type { Policy } from './policy.js';
import { BREACHES_OF_PROBING } from './probes.breaches.js';
import { PROBING } from './probes.js';
import { BREACHES_OF_PROCESSES } from './processes.breaches.js';
import { PROCESSES } from './processes.js';
import { BREACHES_OF_REFERENCES } from './references.breaches.js';
import { REFERENCES } from './references.js';
import { BREACHES_OF_RESOURCES } from './resources.breaches.js';
import { RESOURCES } from './resources.js';
import { BREACHES_OF_SCALING } from './scaling.breaches.js';
import { SCALING } from './scaling.js';
import { BREACHES_OF_SECRETS } from './secrets.breaches.js';
import { SECRETS } from './secrets.js';
import { BREACHES_OF_TRUST } from './trust.breaches.js';
import { TRUST } from './trust.js';

const POLICIES: Record<string, Policy> = {
  ...POD_SECURITY,
  ...AVAILABILITY,
  ...ACCESS_TO_THE_CLUSTER,
  ...REFERENCES,
  ...PROCESSES,
  ...MEMORY,
  ...MIGRATIONS,
  ...SECRETS,
  ...BUS,
  ...MONITORING,
  ...RESOURCES,
  ...PROBING,
  ...NAMESPACES,
  ...SCALING,
  ...TRUST,
  ...FILES,
  ...EXPOSURE,
};

const BREACHES: Breaches<typeof POLICIES> = {
  ...BREACHES_OF_POD_SECURITY,
  ...BREACHES_OF_AVAILABILITY,
  ...BREACHES_OF_ACCESS_TO_THE_CLUSTER,
  ...BREACHES_OF_REFERENCES,
  ...BREACHES_OF_PROCESSES,
  ...BREACHES_OF_MEMORY,
  ...BREACHES_OF_MIGRATIONS,
  ...BREACHES_OF_SECRETS,
  ...BREACHES_OF_BUS,
  ...BREACHES_OF_MONITORING,
  ...BREACHES_OF_RESOURCES,
  ...BREACHES_OF_PROBING,
  ...BREACHES_OF_NAMESPACES,
  ...BREACHES_OF_SCALING,
  ...BREACHES_OF_TRUST,
  ...BREACHES_OF_FILES,
  ...BREACHES_OF_EXPOSURE,
};

(hasKubectl() ? describe : describe.skip)('what would be applied to a cluster', () => {
  describe.each(OVERLAYS)('by the overlay %s', (overlay) => {
    const manifests = renderOverlay(overlay);
    test.each(Object.keys(POLICIES))('%s', (name) => expect(POLICIES[name]?.(manifests)).toEqual([]));
  });

  test('by the overlay prod lives through the loss of any one node', () => {
    const manifests = renderOverlay('prod');
    const scaled = new Map([
      ...ofKind(manifests, 'ScaledObject').map(
        ({ spec }) => [spec.scaleTargetRef.name, spec.minReplicaCount] as const,
      ),
      ...ofKind(manifests, 'HorizontalPodAutoscaler').map(
        ({ spec }) => [spec.scaleTargetRef.name, spec.minReplicas] as const,
      ),
    ]);
    const alone = ofKind(manifests, 'Deployment').filter(
      ({ metadata, spec }) => (scaled.get(metadata.name) ?? spec.replicas ?? 1) < 2,
    );
    expect(alone.map(({ metadata }) => metadata.name)).toEqual([]);
    const nats = workloadsOf(manifests).find(({ name }) => name === 'nats');
    expect(nats?.spec.replicas).toBe(3);
    expect(nats?.pod.topologySpreadConstraints).toContainEqual(
      expect.objectContaining({ topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' }),
    );
  });

  test('keeps every policy with the components that one may add', () => {
    const more = ['external-secrets', 'nats-certificates', 'oidc', 'tracing', 'gvisor'];
    for (const manifests of [renderWith('prod', more), renderWith('dev', ['hpa'])]) {
      for (const policy of Object.values(POLICIES)) expect(policy(manifests)).toEqual([]);
    }
  }, 60_000);

  test('keeps every policy with the overlay that the guide shows, in which all that it changes is changed', () => {
    const manifests = renderGuide();
    for (const policy of Object.values(POLICIES)) expect(policy(manifests)).toEqual([]);
    const text = JSON.stringify(manifests);
    const changed = ['registry.example.com/agentclash/gateway', 'clash.example.org', 'public', 'my-bucket'];
    expect(changed.filter((word) => !text.includes(`"${word}`))).toEqual([]);
    const addresses = ofKind(manifests, 'NetworkPolicy')
      .filter(({ metadata }) => /^(database-of|kubernetes-api)/.test(metadata.name))
      .flatMap(({ spec }) => spec.egress.flatMap(({ to = [] }) => to.map(({ ipBlock }) => ipBlock?.cidr)));
    expect(addresses).toEqual(['10.20.0.0/24', '10.20.0.0/24', '10.0.0.10/32']);
    expect(text).not.toContain('agentclash.example.com');
  }, 60_000);

  test('closes private addresses to packs, and to executors all but the API server that is named', () => {
    for (const overlay of ['dev', 'prod'] as const) {
      const settings = ofKind(renderOverlay(overlay), 'ConfigMap').find(({ metadata }) =>
        metadata.name.startsWith('call-settings'),
      );
      expect(settings?.data?.EGRESS_PRIVATE).toBe('never');
    }
    const policy = ofKind(renderOverlay('prod'), 'NetworkPolicy').find(
      ({ metadata }) => metadata.name === 'kubernetes-api',
    );
    expect(policy?.spec.egress.flatMap(({ to = [] }) => to.map(({ ipBlock }) => ipBlock?.cidr))).toEqual([
      '192.0.2.1/32',
    ]);
  }, 60_000);

  describe('is refused where it does not keep this', () => {
    const text = JSON.stringify(renderOverlay('prod'));
    test.each(Object.keys(POLICIES))('%s', (name) => {
      for (const breach of [BREACHES[name] ?? []].flat()) {
        const manifests = JSON.parse(text) as Manifest[];
        breach(manifests);
        expect(POLICIES[name]?.(manifests)).not.toEqual([]);
      }
    });
  });
});
