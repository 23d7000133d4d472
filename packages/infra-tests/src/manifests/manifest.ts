import type { Labels } from './kinds.js';

/** The fields of Kubernetes objects that the checks read. */
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

/** An object that creates pods. */
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

/** Workloads that run as long as the installation, not to completion. */
export function lastingWorkloadsOf(manifests: readonly Manifest[]): Workload[] {
  return workloadsOf(manifests).filter(({ kind }) => kind !== 'Job');
}

export function containersOf({ pod }: Workload): Container[] {
  return [...(pod.initContainers ?? []), ...pod.containers];
}

export const MIB = 1 << 20;
const UNITS: Readonly<Record<string, number>> = { Mi: MIB, Gi: 1024 * MIB };

/** Parses a quantity of bytes. NaN, which is below no limit, for units other than Mi and Gi. */
export function bytesOf(quantity: string): number {
  const [, number, unit = ''] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(number) * (UNITS[unit] ?? Number.NaN);
}

/** Parses a quantity of CPUs: `2`, `0.5`, `500m`. NaN, which is below no limit, for all else. */
export function coresOf(quantity: string): number {
  const [, number, thousandths] = /^(\d+(?:\.\d+)?)(m?)$/.exec(quantity) ?? [];
  return Number(number) / (thousandths === 'm' ? 1_000 : 1);
}
