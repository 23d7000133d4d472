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

export type Labels = Record<string, string>;

export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: {
    secretKeyRef?: { name: string; key: string; optional?: boolean };
    configMapKeyRef?: { name: string; key: string; optional?: boolean };
    fieldRef?: { fieldPath: string };
  };
}

interface Probe {
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
  ports?: { name?: string; containerPort: number }[];
  resources?: { requests?: Labels; limits?: Labels };
  securityContext?: SecurityContext;
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  lifecycle?: { preStop?: { sleep?: { seconds: number } } };
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
}

interface Volume {
  name: string;
  configMap?: { name: string };
  secret?: { secretName: string };
  persistentVolumeClaim?: { claimName: string };
  emptyDir?: { sizeLimit?: string };
  hostPath?: object;
}

export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  volumes?: Volume[];
  serviceAccountName?: string;
  automountServiceAccountToken?: boolean;
  priorityClassName?: string;
  terminationGracePeriodSeconds?: number;
  topologySpreadConstraints?: object[];
  securityContext?: SecurityContext;
  hostNetwork?: boolean;
  hostPID?: boolean;
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

export function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}

/** The part of an object that its kind decides, as the caller knows it. */
export function specOf<Spec>(manifest: Manifest | undefined): Spec {
  return (manifest?.spec ?? {}) as Spec;
}

/** Whether a label selector selects what has these labels. Absent selects nothing, empty everything. */
export function selects(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => OPERATORS[operator](labels[key], values))
  );
}

export interface LabelSelector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: keyof typeof OPERATORS; values?: string[] }[];
}

const OPERATORS = {
  In: (value: string | undefined, values: string[]) => value !== undefined && values.includes(value),
  NotIn: (value: string | undefined, values: string[]) => value === undefined || !values.includes(value),
  Exists: (value: string | undefined) => value !== undefined,
  DoesNotExist: (value: string | undefined) => value === undefined,
};
