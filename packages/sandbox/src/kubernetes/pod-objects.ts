import { SandboxError } from '../sandbox-error.js';
import type { KubernetesApi } from './api.js';
import { type KubernetesObject, LABEL } from './objects.js';

/** A pod as it is created. */
export interface PodManifest {
  metadata: { name: string; labels: Record<string, string>; annotations: Record<string, string> };
  spec: object;
}

/** The objects by which pods of sandboxes are made and removed; a pod has the name of its object. */
export interface PodObjects {
  /** The controller of the cluster that makes pods of the objects; undefined where they are the pods. */
  readonly controller: string | undefined;
  create(pod: PodManifest, leaseUntil: Date, signal?: AbortSignal): Promise<void>;
  /** Ends the processes of the pod at once. Absent is fine. */
  delete(name: string): Promise<void>;
  renew(name: string, leaseUntil: Date, annotations: Readonly<Record<string, string>>): Promise<void>;
  list(labelSelector: string): Promise<KubernetesObject[]>;
}

export class PlainPods implements PodObjects {
  readonly controller = undefined;

  constructor(private readonly api: KubernetesApi) {}

  async create(pod: PodManifest, _leaseUntil: Date, signal?: AbortSignal): Promise<void> {
    await this.api.createPod(pod, signal);
  }

  delete(name: string): Promise<void> {
    return this.api.deletePod(name);
  }

  renew(name: string, _leaseUntil: Date, annotations: Readonly<Record<string, string>>): Promise<void> {
    return this.api.patch('pods', name, { metadata: { annotations } });
  }

  list(labelSelector: string): Promise<KubernetesObject[]> {
    return this.api.listPods(labelSelector);
  }
}

/**
 * The resource Sandbox of `agents.x-k8s.io`, whose controller makes the pod, and deletes it when the lease has run out, also where
 * no executor is left.
 */
export class SandboxObjects implements PodObjects {
  readonly controller = 'agent-sandbox';

  constructor(private readonly api: KubernetesApi) {}

  async create({ metadata, spec }: PodManifest, shutdownTime: Date, signal?: AbortSignal): Promise<void> {
    const { labels, annotations } = metadata;
    const sandbox = {
      apiVersion: 'agents.x-k8s.io/v1beta1',
      kind: 'Sandbox',
      metadata,
      spec: {
        podTemplate: { metadata: { labels, annotations }, spec },
        service: false,
        shutdownTime: timeOf(shutdownTime),
        shutdownPolicy: 'Delete',
      },
    };
    await this.api.create('sandboxes', sandbox, signal).catch(refuseAbsent);
  }

  /** Its pod after it, else the controller would make another. */
  async delete(name: string): Promise<void> {
    await this.api.delete('sandboxes', name);
    await this.api.deletePod(name);
  }

  renew(name: string, shutdownTime: Date, annotations: Readonly<Record<string, string>>): Promise<void> {
    const spec = { shutdownTime: timeOf(shutdownTime) };
    return this.api.patch('sandboxes', name, { metadata: { annotations }, spec });
  }

  /** Small pods of checks are no Sandboxes. */
  async list(labelSelector: string): Promise<KubernetesObject[]> {
    const sandboxes = await this.api.list('sandboxes', labelSelector).catch(refuseAbsent);
    return [...sandboxes, ...(await this.api.listPods(`${labelSelector},${LABEL.role}=canary`))];
  }
}

/** Without milliseconds, as the clients of the controller write it. */
function timeOf(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

function refuseAbsent(error: unknown): never {
  const { cause } = error as { cause?: unknown };
  if (!/: 404 /.test(String(cause))) throw error;
  throw new SandboxError('unavailable', 'the cluster has no resource Sandbox of agents.x-k8s.io/v1beta1', {
    cause,
    fix: 'install agent-sandbox in the cluster, or leave SANDBOX_OBJECTS out',
  });
}
