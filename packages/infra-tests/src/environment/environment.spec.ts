import { readFileSync } from 'node:fs';
import path from 'node:path';
import { durableName, newNkey } from '@agentclash/bus';
import { ACCESS, execution, PROMPTS_PER_JOB, type ServiceName, scoringJobs } from '@agentclash/contracts';
import { executorConfig } from '@agentclash/sandbox-executor';
import { describe, expect, test } from '@jest/globals';
import { ofKind } from '../manifests/kinds.js';
import { type Container, type Manifest, workloadsOf } from '../manifests/manifest.js';
import { OVERLAYS, renderOverlay, renderWith } from '../manifests/render.js';
import { repository } from '../repository.js';
import { describeWithKubectl } from '../requirements.js';
import { environmentOf } from './resolve.js';
import { READERS, RUNTIME_VARIABLES, variablesOf } from './variables.js';

const SERVICES = Object.keys(ACCESS) as ServiceName[];

/** A value that each key of a secret could have. */
const SAMPLES: Record<string, string> = {
  'nats-nkey-seed': newNkey().seed,
  'database-url': 'postgresql://role:password@database.example.com:5432/agentclash?sslmode=verify-full',
  'url-signing-key': Buffer.alloc(32, 1).toString('base64'),
  'operator-token-sha256': 'a'.repeat(64),
  'bootstrap-admin-token-sha256': 'b'.repeat(64),
  'access-key-id': 'id',
  'secret-access-key': 'key',
};

describeWithKubectl('the environment of each service', () => {
  describe.each(OVERLAYS)('by the overlay %s', (overlay) => {
    const manifests = renderOverlay(overlay);

    test.each(SERVICES)('of %s is complete, also without what is optional', (service) => {
      for (const isWithOptional of [true, false]) {
        const environment = startEnvironment(manifests, service, isWithOptional);
        expect(() => READERS[service].read(environment)).not.toThrow();
      }
    });

    test.each(SERVICES)('of %s holds nothing that it does not read', (service) => {
      const known = variablesOf(READERS[service].schema);
      const names = Object.keys(startEnvironment(manifests, service, true));
      expect(names.filter((name) => !known.has(name) && !RUNTIME_VARIABLES.test(name))).toEqual([]);
    });

    test('names every secret that it takes from elsewhere in docs/kubernetes.md', () => {
      const docs = readFileSync(path.join(repository, 'docs/kubernetes.md'), 'utf8');
      const secrets = [...secretsNamedBy(manifests)].filter(
        (name) => !ofKind(manifests, 'Secret').some(({ metadata }) => metadata.name === name),
      );
      expect(secrets.length > 0).toBe(overlay !== 'dev');
      expect(secrets.filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
    });

    test('has executors take the version of the process inside that is theirs', () => {
      const { SANDBOX_INSIDE_IMAGE, SANDBOX_IMAGE } = startEnvironment(manifests, 'sandbox-executor', true);
      const { image } = serviceContainer(manifests, 'sandbox-executor');
      const version = image.slice(image.lastIndexOf(':'));
      expect(SANDBOX_INSIDE_IMAGE).toMatch(new RegExp(`${version}$`));
      expect(SANDBOX_IMAGE).toMatch(new RegExp(`${version}$`));
    });

    test('lets migrations be applied by a job, and each service start with none of its own', () => {
      for (const service of SERVICES.filter((name) => name !== 'sandbox-executor')) {
        expect(startEnvironment(manifests, service, true).MIGRATE_ON_START).toBe('false');
        const job = workloadsOf(manifests).find(({ name }) => name === `migrate-${service}`);
        const { image, pod } = {
          image: serviceContainer(manifests, service).image,
          pod: workloadsOf(manifests).find(({ name }) => name === service)?.pod,
        };
        expect(job?.pod.containers.map((container) => container.image)).toEqual([image]);
        const [waiting] = pod?.initContainers ?? [];
        const [applying] = job?.pod.containers ?? [];
        expect(waiting?.command).toEqual(
          applying?.command?.map((word) => (word === 'apply' ? 'await' : word)),
        );
      }
    });
  });

  test('of prod brings no secret along', () => {
    expect(ofKind(renderOverlay('prod'), 'Secret')).toEqual([]);
  });

  test('asks for as many replicas of each stream as there are servers', () => {
    for (const overlay of OVERLAYS) {
      const manifests = renderOverlay(overlay);
      const nats = ofKind(manifests, 'StatefulSet').find(({ metadata }) => metadata.name === 'nats');
      const { NATS_STREAM_REPLICAS } = startEnvironment(manifests, 'run-orchestrator', true);
      expect(NATS_STREAM_REPLICAS).toBe(String(nats?.spec.replicas));
    }
  }, 60_000);

  test('gives sandboxes a kernel of their own where the component for it is taken', () => {
    const environment = startEnvironment(renderWith('prod', ['gvisor']), 'sandbox-executor', true);
    expect(environment).toMatchObject({ SANDBOX_RUNTIME_CLASS: 'gvisor', SANDBOX_STRONG_ISOLATION: 'true' });
  });

  describe('scales by the consumers that really are, in steps of what one executor works on', () => {
    const consumers = [
      ...Object.values(execution).map((job) => durableName('sandbox-executor', job.subject)),
      durableName('scoring', scoringJobs.scoreAttempts.subject),
    ];
    const stepsOf = (manifests: readonly Manifest[]) => {
      const environment = startEnvironment(manifests, 'sandbox-executor', true);
      const config = executorConfig(environment);
      return [config.SANDBOX_MAX_CONCURRENT, config.PROMPTS_MAX_CONCURRENT / PROMPTS_PER_JOB].map(String);
    };

    test('with KEDA', () => {
      const manifests = renderOverlay('prod');
      const triggers = ofKind(manifests, 'ScaledObject').flatMap(({ spec }) => spec.triggers);
      expect(
        triggers.map(({ metadata: { account, stream, consumer } }) => [account, stream, consumer]),
      ).toEqual(consumers.map((consumer) => ['AGENTCLASH', 'JOBS', consumer]));
      expect(triggers.slice(0, 2).map(({ metadata }) => metadata.lagThreshold)).toEqual(stepsOf(manifests));
    });

    test('without', () => {
      const manifests = renderWith('dev', ['hpa']);
      const asked = ofKind(manifests, 'HorizontalPodAutoscaler').flatMap(({ spec }) => spec.metrics);
      expect(asked.map(({ external }) => external?.metric.selector.matchLabels)).toEqual(
        consumers.map((consumer) => ({ stream: 'JOBS', consumer })),
      );
      // The settings are those of the base; `dev` makes them smaller for a small machine.
      expect(asked.slice(0, 2).map(({ external }) => external?.target.averageValue)).toEqual(
        stepsOf(renderOverlay('prod')),
      );
    }, 60_000);
  });
});

function serviceContainer(manifests: readonly Manifest[], service: ServiceName): Container {
  const found = workloadsOf(manifests).find(({ name }) => name === service)?.pod.containers[0];
  if (found === undefined) throw new Error(`no container of ${service}`);
  return found;
}

/** What the service would find, secrets from elsewhere having the value of a sample. */
function startEnvironment(
  manifests: readonly Manifest[],
  service: ServiceName,
  isWithOptional: boolean,
): Record<string, string> {
  const { values, elsewhere } = environmentOf(manifests, serviceContainer(manifests, service));
  const given = elsewhere
    .filter(({ isOptional }) => isWithOptional || !isOptional)
    .map(({ variable, key }) => [variable, SAMPLES[key] ?? ''] as const);
  return { ...values, ...Object.fromEntries(given) };
}

function secretsNamedBy(manifests: readonly Manifest[]): Set<string> {
  return new Set(
    workloadsOf(manifests).flatMap(({ pod }) => [
      ...(pod.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []),
      ...[...(pod.initContainers ?? []), ...pod.containers].flatMap(({ env = [], envFrom = [] }) => [
        ...env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
        ...envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []),
      ]),
    ]),
  );
}
