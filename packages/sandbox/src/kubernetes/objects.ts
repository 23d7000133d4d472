/** The parts of the cluster's objects that we read. */
export interface KubernetesObject {
  metadata: {
    name: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    resourceVersion?: string;
    uid?: string;
  };
}

interface ContainerState {
  waiting?: { reason?: string; message?: string };
  terminated?: { reason?: string; exitCode?: number; message?: string };
  running?: object;
}

interface ContainerStatus {
  name: string;
  /** `NAME@sha256:…`, or the digest alone of an image that was loaded. */
  imageID?: string;
  state?: ContainerState;
}

export interface KubernetesPod extends KubernetesObject {
  status?: {
    phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
    reason?: string;
    message?: string;
    containerStatuses?: ContainerStatus[];
    conditions?: { type: string; status: string; reason?: string; message?: string }[];
    initContainerStatuses?: ContainerStatus[];
  };
}

/** The container of a pod in which the sandbox is. */
export const CONTAINER = 'sandbox';

export function ownStatus(status: KubernetesPod['status']): ContainerStatus | undefined {
  return status?.containerStatuses?.find(({ name }) => name === CONTAINER);
}

export const LABEL = {
  managedBy: 'app.kubernetes.io/managed-by',
  /** `sandbox`, `canary` or `builder`: what a network policy selects. */
  role: 'agentclash.dev/role',
  owner: 'agentclash.dev/owner',
} as const;

export const MANAGER = 'agentclash-sandbox';

export const ANNOTATION = {
  /** RFC 3339; after it the pod has no owner. */
  leaseUntil: 'agentclash.dev/lease-until',
  runId: 'agentclash.dev/run-id',
  attemptId: 'agentclash.dev/attempt-id',
} as const;

/** The text as the value of a label: other characters become hyphens. */
export function labelValue(text: string): string {
  return text
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 63)
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
}
