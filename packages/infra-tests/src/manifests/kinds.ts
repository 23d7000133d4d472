import { z } from 'zod';
import type { Manifest } from './manifest.js';

export const Labels = z.record(z.string(), z.string());
export type Labels = z.infer<typeof Labels>;

const OPERATORS = {
  In: (value: string | undefined, values: string[]) => value !== undefined && values.includes(value),
  NotIn: (value: string | undefined, values: string[]) => value === undefined || !values.includes(value),
  Exists: (value: string | undefined) => value !== undefined,
  DoesNotExist: (value: string | undefined) => value === undefined,
};

export const LabelSelector = z.object({
  matchLabels: Labels.default({}),
  matchExpressions: z
    .array(
      z.object({
        key: z.string(),
        operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
        values: z.array(z.string()).default([]),
      }),
    )
    .default([]),
});
export type LabelSelector = z.infer<typeof LabelSelector>;

/** True when a label selector matches these labels. An absent selector matches nothing, an empty one everything. */
export function selects(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  const { matchLabels, matchExpressions } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => OPERATORS[operator](labels[key], values))
  );
}

/** The selector of equal labels, as services have it. */
export function selectorOf(matchLabels: Labels): LabelSelector {
  return { matchLabels, matchExpressions: [] };
}

const Metadata = z.object({
  name: z.string(),
  namespace: z.string().default(''),
  labels: Labels.default({}),
  annotations: Labels.default({}),
});

const object = <Parts extends z.ZodRawShape>(parts: Parts) => z.object({ metadata: Metadata, ...parts });
const withSpec = <Spec extends z.ZodRawShape>(spec: Spec) => object({ spec: z.object(spec) });

const Names = z.array(z.string()).default([]);
const Port = z.union([z.string(), z.number()]);

// A field that these schemas do not read could widen a rule without being noticed.
const Peer = z.strictObject({
  podSelector: LabelSelector.optional(),
  namespaceSelector: LabelSelector.optional(),
  ipBlock: z.strictObject({ cidr: z.string(), except: z.array(z.string()).default([]) }).optional(),
});
export type Peer = z.infer<typeof Peer>;

const PolicyPort = z.strictObject({ port: Port, protocol: z.enum(['TCP', 'UDP']).default('TCP') });
export type PolicyPort = z.infer<typeof PolicyPort>;

const Rule = { ports: z.array(PolicyPort).optional() };

const AlertOrRecord = z.object({
  alert: z.string().optional(),
  record: z.string().optional(),
  expr: z.string(),
  labels: Labels.default({}),
  annotations: Labels.default({}),
});

/** The fields of each kind that the checks read; `findInvalidValues` checks whole objects. */
const KINDS = {
  Certificate: withSpec({ secretName: z.string(), dnsNames: z.array(z.string()).default([]) }),
  ClusterRole: object({}),
  ClusterRoleBinding: object({}),
  ConfigMap: object({ data: Labels.default({}) }),
  Deployment: withSpec({
    replicas: z.number().optional(),
    strategy: z
      .object({
        type: z.string(),
        rollingUpdate: z.object({ maxUnavailable: Port, maxSurge: Port.default('25%') }).optional(),
      })
      .optional(),
  }),
  ExternalSecret: withSpec({
    target: z.object({ name: z.string() }),
    data: z.array(z.object({ secretKey: z.string() })),
  }),
  HorizontalPodAutoscaler: withSpec({
    scaleTargetRef: z.object({ apiVersion: z.string(), kind: z.string(), name: z.string() }),
    minReplicas: z.number().default(1),
    maxReplicas: z.number(),
    metrics: z.array(
      z.object({
        external: z
          .object({
            metric: z.object({ name: z.string(), selector: LabelSelector }),
            target: z.object({ averageValue: z.string() }),
          })
          .optional(),
      }),
    ),
  }),
  Ingress: withSpec({
    tls: z.array(z.object({ hosts: Names })).default([]),
    rules: z.array(
      z.object({
        host: z.string().optional(),
        http: z.object({
          paths: z.array(
            z.object({
              path: z.string(),
              pathType: z.string(),
              backend: z.object({
                service: z.object({ name: z.string(), port: z.object({ name: z.string() }) }),
              }),
            }),
          ),
        }),
      }),
    ),
  }),
  Job: withSpec({
    ttlSecondsAfterFinished: z.number().optional(),
    template: z.object({ spec: z.object({ restartPolicy: z.string() }) }),
  }),
  Namespace: object({}),
  NetworkPolicy: withSpec({
    podSelector: LabelSelector,
    policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
    ingress: z.array(z.strictObject({ from: z.array(Peer).optional(), ...Rule })).default([]),
    egress: z.array(z.strictObject({ to: z.array(Peer).optional(), ...Rule })).default([]),
  }),
  PersistentVolume: withSpec({
    storageClassName: z.string().optional(),
    accessModes: Names,
    claimRef: z.object({ namespace: z.string(), name: z.string() }).optional(),
    nfs: z.object({ server: z.string(), path: z.string(), readOnly: z.boolean().default(false) }).optional(),
  }),
  PersistentVolumeClaim: withSpec({
    storageClassName: z.string().optional(),
    volumeName: z.string().optional(),
    accessModes: Names,
  }),
  PodDisruptionBudget: withSpec({ selector: LabelSelector, maxUnavailable: Port.optional() }),
  PriorityClass: object({
    value: z.number(),
    globalDefault: z.boolean().default(false),
    preemptionPolicy: z.enum(['Never', 'PreemptLowerPriority']).default('PreemptLowerPriority'),
  }),
  PrometheusRule: withSpec({ groups: z.array(z.object({ rules: z.array(AlertOrRecord) })) }),
  ResourceQuota: withSpec({ hard: Labels }),
  Role: object({
    rules: z.array(
      z.object({
        apiGroups: Names,
        resources: Names,
        verbs: Names,
        resourceNames: Names,
        nonResourceURLs: Names,
      }),
    ),
  }),
  RoleBinding: object({
    roleRef: z.object({ apiGroup: z.string(), kind: z.string(), name: z.string() }),
    subjects: z.array(z.object({ kind: z.string(), name: z.string(), namespace: z.string().optional() })),
  }),
  ScaledObject: withSpec({
    scaleTargetRef: z.object({
      apiVersion: z.string().default('apps/v1'),
      kind: z.string().default('Deployment'),
      name: z.string(),
    }),
    minReplicaCount: z.number().default(0),
    maxReplicaCount: z.number().default(100),
    triggers: z.array(z.object({ metadata: Labels })),
  }),
  Secret: object({ data: Labels.default({}) }),
  Service: withSpec({
    type: z.string().default('ClusterIP'),
    clusterIP: z.string().optional(),
    externalIPs: Names,
    publishNotReadyAddresses: z.boolean().default(false),
    selector: Labels,
    ports: z.array(z.object({ name: z.string(), port: z.number(), targetPort: Port })),
  }),
  ServiceAccount: object({ automountServiceAccountToken: z.boolean().optional() }),
  ServiceMonitor: withSpec({
    selector: LabelSelector,
    endpoints: z.array(
      z.object({
        port: z.string(),
        path: z.string().default('/metrics'),
        interval: z.string(),
        scrapeTimeout: z.string(),
      }),
    ),
    targetLabels: z.array(z.string()).default([]),
  }),
  StatefulSet: withSpec({
    replicas: z.number().default(1),
    serviceName: z.string(),
    volumeClaimTemplates: z
      .array(
        z.object({
          metadata: z.object({ name: z.string() }),
          spec: z.object({ resources: z.object({ requests: z.object({ storage: z.string() }) }) }),
        }),
      )
      .default([]),
  }),
} satisfies Record<string, z.ZodType>;

export type Kind = keyof typeof KINDS;
export type ObjectOf<K extends Kind> = z.infer<(typeof KINDS)[K]>;

const READERS: { [K in Kind]: z.ZodType<ObjectOf<K>> } = KINDS;

/** All objects of a kind, parsed. Throws for one that lacks a required field. */
export function ofKind<K extends Kind>(manifests: readonly Manifest[], kind: K): ObjectOf<K>[] {
  return manifests
    .filter((manifest) => manifest.kind === kind)
    .map((manifest) => READERS[kind].parse(manifest));
}
