import type { Labels } from './labels.js';

/** The parts of a cluster's objects that the checks read. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
  spec?: Record<string, unknown>;
  [part: string]: unknown;
}

interface Metadata {
  name: string;
  namespace?: string;
  labels?: Labels;
  annotations?: Labels;
}

export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: {
    secretKeyRef?: { name: string; key: string; optional?: boolean };
    configMapKeyRef?: { name: string; key: string; optional?: boolean };
    fieldRef?: { fieldPath: string };
  };
}

export interface Probe {
  httpGet?: { path: string; port: string | number };
  periodSeconds?: number;
  failureThreshold?: number;
}

interface SecurityContext {
  runAsNonRoot?: boolean;
  runAsUser?: number;
  privileged?: boolean;
  allowPrivilegeEscalation?: boolean;
  readOnlyRootFilesystem?: boolean;
  capabilities?: { drop?: string[]; add?: string[] };
  seccompProfile?: { type: string };
}

export interface Container {
  name: string;
  image: string;
  command?: string[];
  env?: EnvVar[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name?: string; containerPort: number; hostPort?: number }[];
  resources?: { requests?: Labels; limits?: Labels };
  securityContext?: SecurityContext;
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  lifecycle?: { preStop?: { sleep?: { seconds: number }; exec?: { command: string[] } } };
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
}

interface Volume {
  name: string;
  configMap?: { name: string };
  secret?: { secretName: string; items?: { key: string; path: string }[] };
  projected?: { sources?: { serviceAccountToken?: object }[] };
  persistentVolumeClaim?: { claimName: string };
  emptyDir?: { sizeLimit?: string };
  hostPath?: object;
}

interface SpreadConstraint {
  topologyKey: string;
  labelSelector?: unknown;
  matchLabelKeys?: string[];
}

export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  volumes?: Volume[];
  serviceAccountName?: string;
  automountServiceAccountToken?: boolean;
  priorityClassName?: string;
  terminationGracePeriodSeconds?: number;
  topologySpreadConstraints?: SpreadConstraint[];
  securityContext?: SecurityContext & { fsGroup?: number };
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
}

const WORKLOAD_KINDS = ['Deployment', 'StatefulSet', 'Job'] as const;

/** Something that makes pods. */
export interface Workload {
  kind: (typeof WORKLOAD_KINDS)[number];
  name: string;
  namespace: string;
  podLabels: Labels;
  pod: PodSpec;
  spec: Record<string, unknown>;
}

export function workloadsOf(manifests: readonly Manifest[]): Workload[] {
  return manifests.flatMap((manifest) => {
    const kind = WORKLOAD_KINDS.find((known) => known === manifest.kind);
    if (kind === undefined) return [];
    const { template } = manifest.spec as { template: { metadata: Metadata; spec: PodSpec } };
    return {
      kind,
      name: manifest.metadata.name,
      namespace: manifest.metadata.namespace ?? '',
      podLabels: template.metadata.labels ?? {},
      pod: template.spec,
      spec: manifest.spec ?? {},
    };
  });
}

/** What runs for as long as the installation does. */
export function lastingWorkloadsOf(manifests: readonly Manifest[]): Workload[] {
  return workloadsOf(manifests).filter(({ kind }) => kind !== 'Job');
}

export function containersOf({ pod }: Workload): Container[] {
  return [...(pod.initContainers ?? []), ...pod.containers];
}
