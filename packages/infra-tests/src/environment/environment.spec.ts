import { readFileSync } from 'node:fs';
import path from 'node:path';
import { durableName, newNkey } from '@agentclash/bus';
import { ACCESS, type Message, PROMPTS_PER_JOB, type ServiceName, scoringJobs } from '@agentclash/contracts';
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
  describe.each(OVERLAYS)('in the overlay %s', (overlay) => {
    const manifests = renderOverlay(overlay);

    test.each(SERVICES)('the service %s can start with and without the optional secrets', (service) => {
      for (const isWithOptional of [true, false]) {
        const environment = startEnvironment(manifests, service, isWithOptional);
        expect(() => READERS[service].read(environment)).not.toThrow();
      }
    });

    test.each(SERVICES)('the service %s gets no variable that it does not read', (service) => {
      const known = variablesOf(READERS[service].schema);
      const names = Object.keys(startEnvironment(manifests, service, true));
      expect(names.filter((name) => !known.has(name) && !RUNTIME_VARIABLES.test(name))).toEqual([]);
    });

    test('docs/kubernetes.md names every secret that is created elsewhere', () => {
      const docs = readFileSync(path.join(repository, 'docs/kubernetes.md'), 'utf8');
      const secrets = [...secretsNamedBy(manifests)].filter(
        (name) => !ofKind(manifests, 'Secret').some(({ metadata }) => metadata.name === name),
      );
      expect(secrets.length > 0).toBe(overlay !== 'dev');
      expect(secrets.filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
    });

    test('executors use the image of the process inside that has their own version', () => {
      const { SANDBOX_INSIDE_IMAGE, SANDBOX_IMAGE } = startEnvironment(manifests, 'sandbox-executor', true);
      const { image } = serviceContainer(manifests, 'sandbox-executor');
      const version = image.slice(image.lastIndexOf(':'));
      expect(SANDBOX_INSIDE_IMAGE).toMatch(new RegExp(`${version}$`));
      expect(SANDBOX_IMAGE).toMatch(new RegExp(`${version}$`));
    });

    test('jobs apply the migrations and services do not', () => {
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

  test('the overlay prod contains no secret', () => {
    expect(ofKind(renderOverlay('prod'), 'Secret')).toEqual([]);
  });

  test('each stream has as many replicas as there are servers', () => {
    for (const overlay of OVERLAYS) {
      const manifests = renderOverlay(overlay);
      const nats = ofKind(manifests, 'StatefulSet').find(({ metadata }) => metadata.name === 'nats');
      const { NATS_STREAM_REPLICAS } = startEnvironment(manifests, 'run-orchestrator', true);
      expect(NATS_STREAM_REPLICAS).toBe(String(nats?.spec.replicas));
    }
  }, 60_000);

  test('the component pack-images lowers the security standard of the namespace of sandboxes alone', () => {
    const standards = ofKind(renderWith('prod-core', ['pack-images']), 'Namespace').map(({ metadata }) => [
      metadata.name,
      metadata.labels['pod-security.kubernetes.io/enforce'],
    ]);
    expect(standards).toEqual([
      ['agentclash', 'restricted'],
      ['agentclash-sandboxes', 'baseline'],
    ]);
  });

  test('the component agent-sandbox has executors create sandboxes as objects, with the right to do so', () => {
    const manifests = renderWith('prod-core', ['agent-sandbox']);
    const environment = startEnvironment(manifests, 'sandbox-executor', true);
    expect(environment).toMatchObject({ SANDBOX_OBJECTS: 'sandboxes' });
    const [role] = ofKind(manifests, 'Role').filter(({ metadata }) => metadata.name === 'sandboxes');
    expect(role?.rules).toContainEqual(
      expect.objectContaining({
        apiGroups: ['agents.x-k8s.io'],
        resources: ['sandboxes'],
        verbs: ['create', 'get', 'list', 'patch', 'delete'],
      }),
    );
  });

  test('the component gvisor gives sandboxes a kernel of their own', () => {
    const environment = startEnvironment(renderWith('prod', ['gvisor']), 'sandbox-executor', true);
    expect(environment).toMatchObject({ SANDBOX_RUNTIME_CLASS: 'gvisor', SANDBOX_STRONG_ISOLATION: 'true' });
  });

  describe('scalers follow existing consumers, one pod per number of jobs that an executor runs', () => {
    const consumers = [
      ...queuesOfExecutors().map((subject) => durableName('sandbox-executor', subject)),
      durableName('scoring', scoringJobs.scoreAttempts.subject),
    ];
    const stepsOf = (manifests: readonly Manifest[]) => {
      const environment = startEnvironment(manifests, 'sandbox-executor', true);
      const config = executorConfig(environment);
      return [
        config.SANDBOX_MAX_CONCURRENT,
        config.PROMPTS_MAX_CONCURRENT / PROMPTS_PER_JOB,
        config.AUDITS_MAX_CONCURRENT,
      ].map(String);
    };

    test('the scalers of the overlay with KEDA follow existing consumers', () => {
      const manifests = renderOverlay('prod');
      const triggers = ofKind(manifests, 'ScaledObject').flatMap(({ spec }) => spec.triggers);
      expect(
        triggers.map(({ metadata: { account, stream, consumer } }) => [account, stream, consumer]),
      ).toEqual(consumers.map((consumer) => ['AGENTCLASH', 'JOBS', consumer]));
      expect(triggers.slice(0, -1).map(({ metadata }) => metadata.lagThreshold)).toEqual(stepsOf(manifests));
    });

    test('the scalers of the overlay without KEDA follow existing consumers', () => {
      const manifests = renderWith('dev', ['hpa']);
      const metrics = ofKind(manifests, 'HorizontalPodAutoscaler').flatMap(({ spec }) => spec.metrics);
      expect(metrics.map(({ external }) => external?.metric.selector.matchLabels)).toEqual(
        consumers.map((consumer) => ({ stream: 'JOBS', consumer })),
      );
      // With the settings of the base; `dev` has smaller ones.
      expect(metrics.slice(0, -1).map(({ external }) => external?.target.averageValue)).toEqual(
        stepsOf(renderOverlay('prod')),
      );
    }, 60_000);
  });
});

/** A queue that no scaler follows would wait for whatever the others make of executors. */
function queuesOfExecutors(): string[] {
  const messages = ACCESS['sandbox-executor'].serves.flatMap((group): Message[] => Object.values(group));
  return messages.filter(({ kind }) => kind === 'job').map(({ subject }) => subject);
}

function serviceContainer(manifests: readonly Manifest[], service: ServiceName): Container {
  const found = workloadsOf(manifests).find(({ name }) => name === service)?.pod.containers[0];
  if (found === undefined) throw new Error(`no container of ${service}`);
  return found;
}

/** The environment of the service with sample values for the secrets that are created elsewhere. */
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
