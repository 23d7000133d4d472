import type { ReapReport } from '../contract.js';
import { LEASE_SLACK_MS } from '../remote/remote-sandbox.js';
import { SandboxError } from '../sandbox-error.js';
import type { KubernetesApi } from './api.js';
import { pullError } from './image-errors.js';
import {
  ANNOTATION,
  type KubernetesObject,
  type KubernetesPod,
  LABEL,
  labelValue,
  MANAGER,
  ownStatus,
} from './objects.js';
import { PlainPods, type PodManifest, type PodObjects } from './pod-objects.js';

const PULL_REASONS = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull']);
/** States of a container that never become better by waiting. */
const PERMANENT_WAIT_REASONS = new Set([
  ...PULL_REASONS,
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
]);
const REMOVAL_TIMEOUT_MS = 30_000;
const POLL_INTERVAL_MS = 200;

interface PodStart {
  signal: AbortSignal;
  /** The reference of an image that a pack has named. */
  image?: string | undefined;
  /** Default: the pod itself. */
  objects?: PodObjects | undefined;
}

/**
 * Creates a pod and waits until it runs. Throws `unavailable` with the message of the cluster, or `invalid_image`; the pod may be
 * there then.
 */
export async function startPod(
  api: KubernetesApi,
  manifest: PodManifest,
  { signal, image, objects = new PlainPods(api) }: PodStart,
): Promise<KubernetesPod> {
  const { name } = manifest.metadata;
  await objects.create(manifest, leaseOf(manifest), signal).catch((error: unknown) => {
    throw noRuntimeClass(error) ?? error;
  });
  let latest: KubernetesPod | undefined;
  const watching = new AbortController();
  const stop = () => watching.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      // A watch reports changes only, and ends whenever the server likes.
      const current = await api.getPod(name);
      // A controller makes it after its object.
      if (current === undefined && (latest !== undefined || objects.controller === undefined)) {
        throw new SandboxError('unavailable', 'the pod of a sandbox was deleted');
      }
      latest = current;
      if (current !== undefined && isRunning(current, image)) return current;
      for await (const pod of api.watchPod(name, watching.signal)) {
        latest = pod;
        if (isRunning(pod, image)) return pod;
      }
      signal.throwIfAborted();
    }
  } catch (error) {
    throw (signal.aborted && neverStarted(latest, objects)) || error;
  } finally {
    watching.abort();
    signal.removeEventListener('abort', stop);
  }
}

/** The API server refuses pods of a RuntimeClass that there is not. */
function noRuntimeClass(error: unknown): SandboxError | undefined {
  const { cause } = error as { cause?: unknown };
  const [, name] = /RuntimeClass \\?"([^"\\]+)\\?" not found/.exec(String(cause)) ?? [];
  if (name === undefined) return undefined;
  return new SandboxError('unavailable', `the cluster has no RuntimeClass ${name}`, {
    cause,
    fix: 'create it, for nodes that have its runtime, or set SANDBOX_RUNTIME_CLASS to one of `kubectl get runtimeclass`',
  });
}

/** When its lease ends, with what is left to others to remove it. */
function leaseOf({ metadata }: PodManifest): Date {
  return new Date(Date.parse(metadata.annotations[ANNOTATION.leaseUntil] ?? '') + LEASE_SLACK_MS);
}

/** The cause where the cluster has one: no controller has made the pod, or the scheduler finds no node for it. */
function neverStarted(pod: KubernetesPod | undefined, { controller }: PodObjects): SandboxError | undefined {
  if (pod === undefined && controller !== undefined) {
    return new SandboxError('unavailable', `${controller} has made no pod for a sandbox`, {
      fix: `see that the controller of ${controller} runs, and what its log has about the namespace of sandboxes`,
    });
  }
  const refused = pod?.status?.conditions?.find(
    ({ type, status: is }) => type === 'PodScheduled' && is === 'False',
  );
  if (!refused) return undefined;
  return new SandboxError('unavailable', 'no node of the cluster has capacity for a sandbox', {
    cause: new Error(`${refused.reason ?? ''}: ${refused.message ?? ''}`),
    fix: 'add nodes, lower the CPU and memory of the pack, or lower SANDBOX_CPU_REQUEST_SHARE or SANDBOX_MAX_CONCURRENT',
  });
}

/** Deletes a pod and waits until the cluster no longer lists it. */
export async function removePod(
  api: KubernetesApi,
  name: string,
  objects: PodObjects = new PlainPods(api),
): Promise<void> {
  const deadline = performance.now() + REMOVAL_TIMEOUT_MS;
  await objects.delete(name);
  while ((await api.getPod(name)) !== undefined) {
    if (performance.now() > deadline)
      throw new SandboxError('unavailable', 'the pod of a sandbox does not go away');
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

/** Throws `unavailable` or `invalid_image` when it never will. */
function isRunning({ status }: KubernetesPod, image: string | undefined): boolean {
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const waiting = statuses
    .map(({ state }) => state?.waiting)
    .find(({ reason } = {}) => PERMANENT_WAIT_REASONS.has(reason ?? ''));
  const phase = status?.phase;
  const isOfPack = image !== undefined && ownStatus(status)?.state?.waiting === waiting;
  if (waiting !== undefined && isOfPack && PULL_REASONS.has(waiting.reason ?? '')) {
    throw pullError(image, waiting);
  }
  if (waiting !== undefined || phase === 'Failed' || phase === 'Succeeded') {
    const reason = waiting
      ? `${waiting.reason}: ${waiting.message ?? ''}`
      : `${phase} ${status?.reason ?? ''} ${status?.message ?? ''}`;
    throw new SandboxError('unavailable', 'the pod of a sandbox does not start', {
      cause: new Error(reason.trim()),
    });
  }
  return (
    phase === 'Running' &&
    (status?.containerStatuses ?? []).every(({ state }) => state?.running !== undefined)
  );
}

interface SweepScope {
  api: KubernetesApi;
  objects: PodObjects;
  owner: string;
  /** Names of the pods that this process has. */
  live: ReadonlySet<string>;
}

/**
 * Cleanup in a cluster: deletes the pods that an earlier process of this owner left, and those of any owner whose
 * lease has run out.
 */
export async function sweep({ api, objects, owner, live }: SweepScope): Promise<ReapReport> {
  const removed: string[] = [];
  for (const found of await objects.list(`${LABEL.managedBy}=${MANAGER}`)) {
    const { name } = found.metadata;
    const isOurs = found.metadata.labels?.[LABEL.owner] === labelValue(owner);
    if (live.has(name) || !(isOurs || hasExpired(found, api.now()))) continue;
    await objects.delete(name);
    removed.push(name);
  }
  return { removed };
}

function hasExpired({ metadata }: KubernetesObject, now: number): boolean {
  const until = Date.parse(metadata.annotations?.[ANNOTATION.leaseUntil] ?? '');
  return !Number.isNaN(until) && until + LEASE_SLACK_MS < now;
}
