import { describe, expect, test } from '@jest/globals';
import { ofKind } from '../manifests/kinds.js';
import { type Manifest, workloadsOf } from '../manifests/manifest.js';
import {
  OVERLAYS,
  renderAgentPackages,
  renderGuide,
  renderOverlay,
  renderWith,
} from '../manifests/render.js';
import { describeWithKubectl } from '../requirements.js';
import { ACCESS, VIOLATIONS_OF_ACCESS } from './access.js';
import { AVAILABILITY, VIOLATIONS_OF_AVAILABILITY } from './availability.js';
import { BUS, VIOLATIONS_OF_BUS } from './bus.js';
import { CONTAINERS, VIOLATIONS_OF_CONTAINERS } from './containers.js';
import { EXPOSURE, VIOLATIONS_OF_EXPOSURE } from './exposure.js';
import { MIGRATIONS, VIOLATIONS_OF_MIGRATIONS } from './migrations.js';
import { MONITORING, VIOLATIONS_OF_MONITORING } from './monitoring.js';
import type { Policy, Violations } from './policy.js';
import { PROCESSES, VIOLATIONS_OF_PROCESSES } from './processes.js';
import { REFERENCES, VIOLATIONS_OF_REFERENCES } from './references.js';

const POLICIES: Record<string, Policy> = {
  ...CONTAINERS,
  ...PROCESSES,
  ...ACCESS,
  ...EXPOSURE,
  ...AVAILABILITY,
  ...BUS,
  ...MIGRATIONS,
  ...MONITORING,
  ...REFERENCES,
};

const VIOLATIONS: Violations<typeof POLICIES> = {
  ...VIOLATIONS_OF_CONTAINERS,
  ...VIOLATIONS_OF_PROCESSES,
  ...VIOLATIONS_OF_ACCESS,
  ...VIOLATIONS_OF_EXPOSURE,
  ...VIOLATIONS_OF_AVAILABILITY,
  ...VIOLATIONS_OF_BUS,
  ...VIOLATIONS_OF_MIGRATIONS,
  ...VIOLATIONS_OF_MONITORING,
  ...VIOLATIONS_OF_REFERENCES,
};

describeWithKubectl('the manifests', () => {
  describe.each(OVERLAYS)('in the overlay %s', (overlay) => {
    const manifests = renderOverlay(overlay);
    test.each(Object.keys(POLICIES))('the manifests of the overlay satisfy the policy: %s', (name) =>
      expect(POLICIES[name]?.(manifests)).toEqual([]),
    );
  });

  test('the manifests of the overlay prod survive the loss of any one node', () => {
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

  test('the manifests satisfy every policy with the optional components', () => {
    const more = ['external-secrets', 'nats-certificates', 'oidc', 'tracing', 'gvisor'];
    const rendered = [renderWith('prod', more), renderWith('dev', ['hpa']), renderAgentPackages('prod')];
    for (const manifests of rendered) {
      for (const policy of Object.values(POLICIES)) expect(policy(manifests)).toEqual([]);
    }
  }, 60_000);

  test('the manifests of the example overlay in the guide satisfy every policy and have the documented changes', () => {
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

  test('the manifests allow packs no private address, and executors only that of the API server', () => {
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

  describe('are rejected if they violate a policy', () => {
    const text = JSON.stringify(renderOverlay('prod'));
    test.each(Object.keys(POLICIES))('manifests that violate a policy are rejected: %s', (name) => {
      for (const violate of [VIOLATIONS[name] ?? []].flat()) {
        const manifests = JSON.parse(text) as Manifest[];
        violate(manifests);
        expect(POLICIES[name]?.(manifests)).not.toEqual([]);
      }
    });
  });
});
