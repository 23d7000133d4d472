import type { ChildProcess } from 'node:child_process';
import { waitFor } from '@agentclash/testkit';
import type { Container, Manifest } from '../manifests/manifest.js';
import { renderWith } from '../manifests/render.js';
import { type BareNode, podOf, withPod } from './bare-node.js';
import type { Kubectl } from './kubectl.js';
import { VERSION } from './service-images.js';

export const NAMESPACES = ['agentclash', 'agentclash-sandboxes'] as const;
const [SERVICES, SANDBOXES] = NAMESPACES;
const READY_SECONDS = 600;
const READY_MS = READY_SECONDS * 1_000;
/** A look at the cluster starts a process. */
const LOOK_EVERY_MS = 1_000;

interface Pod {
  metadata: { name: string; deletionTimestamp?: string; ownerReferences: { kind: string }[] };
  spec: { nodeName: string };
  status: { phase: string; conditions?: { type: string; status: string }[] };
}

interface Job {
  metadata: { name: string };
  status: { succeeded?: number; failed?: number };
}

/** The overlay `dev` in a real cluster. */
export class DevCluster {
  #forwarding: ChildProcess | undefined;
  #isClosed = false;
  #port = 0;

  constructor(
    readonly kubectl: Kubectl,
    private readonly node: BareNode | undefined,
  ) {}

  /** The address of the gateway on this machine. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** As `kubectl apply -k` does, with images of this version, of an overlay with these components. */
  async apply(version = VERSION, components: readonly string[] = []): Promise<void> {
    const manifests = renderWith('dev', components).map((manifest) => ofVersion(manifest, version));
    await this.kubectl.run(['apply', '--filename=-'], this.node?.adapted(manifests) ?? manifests);
  }

  /** The steps of the guide for another version. */
  async upgrade(version: string): Promise<void> {
    const jobs = ['job', '--selector', 'app.kubernetes.io/component=migration'];
    await this.kubectl.run(['delete', '--namespace', SERVICES, ...jobs]);
    await this.apply(version);
    await this.awaitRollOut();
  }

  /** Executors look at what the cluster allows when they start. */
  async restart(deployment: string): Promise<void> {
    await this.kubectl.run(['rollout', 'restart', `deployment/${deployment}`, '--namespace', SERVICES]);
    await this.awaitRollOut();
  }

  async awaitRollOut(): Promise<void> {
    for (const kind of ['statefulset', 'deployment']) {
      const names = await this.kubectl.list<{ metadata: { name: string } }>(kind, SERVICES);
      await Promise.all(
        names.map(({ metadata }) =>
          this.kubectl.run([
            ...['rollout', 'status', `${kind}/${metadata.name}`],
            ...['--namespace', SERVICES, `--timeout=${READY_SECONDS}s`],
          ]),
        ),
      );
    }
  }

  /** Forwards a port of this machine to the gateway, from one pod to the next, until it is closed. */
  async openGateway(): Promise<void> {
    const own = this.#port === 0 ? '' : String(this.#port);
    const { child, port } = await this.kubectl.forward(SERVICES, 'service/gateway', `${own}:80`);
    if (this.#isClosed) child.kill();
    this.#port = port;
    this.#forwarding = child;
    child.once('exit', () => void this.#forwardAgain());
  }

  /** A forwarding ends with the first connection after its pod. */
  async awaitGateway(): Promise<void> {
    const isServed = () =>
      fetch(this.url).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitFor(isServed, { timeoutMs: READY_MS, intervalMs: LOOK_EVERY_MS });
  }

  jobs(): Promise<Job[]> {
    return this.kubectl.list<Job>('jobs', SERVICES);
  }

  /** Pods of services and servers that are not about to end; none of jobs. */
  async pods(): Promise<Pod[]> {
    const pods = await this.kubectl.list<Pod>('pods', SERVICES, 'app.kubernetes.io/component!=migration');
    return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  sandboxes(): Promise<Pod[]> {
    return this.kubectl.list<Pod>('pods', SANDBOXES);
  }

  /** Deletes a pod and waits for as many ready pods as before. */
  async replacePod(name: string): Promise<void> {
    const { length } = await this.pods();
    await this.kubectl.run(['delete', 'pod', name, '--namespace', SERVICES, '--wait=false']);
    await waitFor(
      async () => {
        const pods = await this.pods();
        return pods.length === length && pods.every(isReady);
      },
      { timeoutMs: READY_MS, intervalMs: LOOK_EVERY_MS },
    );
  }

  /** Drains the nodes of the installation one after the other, and waits until it is complete again. */
  async drainAndReturn(): Promise<void> {
    const pods = await this.pods();
    for (const node of new Set(pods.map(({ spec }) => spec.nodeName))) {
      const ours = ['--pod-selector', 'app.kubernetes.io/part-of=agentclash', '--delete-emptydir-data'];
      await this.kubectl.run(['drain', node, ...ours, `--timeout=${READY_SECONDS}s`]);
      await this.kubectl.run(['uncordon', node]);
      await this.awaitRollOut();
    }
    const names = new Set((await this.pods()).map(({ metadata }) => metadata.name));
    const evicted = pods.filter(({ metadata }) => !metadata.ownerReferences.some(isStateful));
    const left = evicted.filter(({ metadata }) => names.has(metadata.name));
    if (left.length > 0) throw new Error(`${left.length} pods were not evicted`);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#forwarding?.kill();
    await this.kubectl.run(['delete', 'namespace', ...NAMESPACES, '--ignore-not-found', '--timeout=180s']);
    const ours = ['--selector', 'app.kubernetes.io/part-of=agentclash'];
    await this.kubectl.run(['delete', 'priorityclass,persistentvolume', ...ours]);
  }

  async #forwardAgain(): Promise<void> {
    await waitFor(
      () =>
        this.#isClosed ||
        this.openGateway().then(
          () => true,
          () => false,
        ),
      { timeoutMs: READY_MS, intervalMs: LOOK_EVERY_MS },
    );
  }
}

/** Its next pod has the same name. */
function isStateful({ kind }: { kind: string }): boolean {
  return kind === 'StatefulSet';
}

function isReady({ status }: Pod): boolean {
  return status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}

/** Images of ours have the version as their tag. */
function ofVersion(manifest: Manifest, version: string): Manifest {
  const pod = podOf(manifest);
  if (pod === undefined) return manifest;
  const tagged = (container: Container): Container => ({
    ...container,
    image: container.image.replace(/^(agentclash\/[a-z-]+):.*$/, `$1:${version}`),
  });
  const initContainers = pod.initContainers?.map(tagged);
  return withPod(manifest, {
    ...pod,
    containers: pod.containers.map(tagged),
    ...(initContainers && { initContainers }),
  });
}
