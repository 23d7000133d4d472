import { expect, test } from '@jest/globals';
import { ofKind } from '../manifests/kinds.js';
import { containersOf, type Manifest, workloadsOf } from '../manifests/manifest.js';
import { renderWith } from '../manifests/render.js';
import { configOf } from '../race/servers.js';
import { describeWithKubectl } from '../requirements.js';

/** Variables in the files that the configuration of the bus includes, which `envFrom` does not name. */
const VARIABLE = /\$(NATS_NKEY_\w+)/g;

describeWithKubectl('the secrets that operators create for the overlay prod', () => {
  const manifests = renderWith('prod', ['external-secrets', 'nats-certificates']);

  test('the secrets of the overlay prod have every key that pods need to start', () => {
    const made = madeBy(manifests);
    expect(neededBy(manifests).filter((reference) => !made.has(reference))).toEqual([]);
  });

  test('the certificate of the NATS servers covers every name that clients use', () => {
    const [certificate] = ofKind(manifests, 'Certificate').filter(
      ({ spec }) => spec.secretName === 'nats-tls',
    );
    const names = certificate?.spec.dnsNames ?? [];
    const called = [
      ...ofKind(manifests, 'ConfigMap').flatMap(({ data }) => hostsIn(data.NATS_URL ?? '')),
      ...hostsIn(configOf(manifests).server),
    ];
    expect(called.sort()).toEqual(['nats', 'nats-0.nats', 'nats-1.nats', 'nats-2.nats']);
    expect(called.filter((host) => !names.some((name) => isNamed(host, name)))).toEqual([]);
  });
});

/** `secret/key` of everything that pods need to start. */
function neededBy(manifests: readonly Manifest[]): string[] {
  const nkeys = [...configOf(manifests).accounts.matchAll(VARIABLE)].map(([, name]) => `nats-users/${name}`);
  const ofPods = workloadsOf(manifests).flatMap((workload) => [
    ...containersOf(workload)
      .flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []))
      .filter(({ optional }) => optional !== true)
      .map(({ name, key }) => `${name}/${key}`),
    ...(workload.pod.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []),
  ]);
  return [...nkeys, ...ofPods];
}

/** The secrets that operators create, by name and by key. */
function madeBy(manifests: readonly Manifest[]): Set<string> {
  return new Set([
    ...ofKind(manifests, 'ExternalSecret').flatMap(({ spec: { target, data } }) => [
      target.name,
      ...data.map(({ secretKey }) => `${target.name}/${secretKey}`),
    ]),
    ...ofKind(manifests, 'Certificate').map(({ spec }) => spec.secretName),
  ]);
}

function hostsIn(text: string): string[] {
  return [...text.matchAll(/(?:tls|nats-route):\/\/([\w.-]+):\d+/g)].map(([, host = '']) => host);
}

/** A star matches one label. */
function isNamed(host: string, name: string): boolean {
  return name === host || (name.startsWith('*.') && host.replace(/^[^.]+/, '*') === name);
}
