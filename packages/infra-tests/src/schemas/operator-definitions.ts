import type { Manifest } from '../manifests/manifest.js';

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const count: Schema = { type: 'integer', minimum: 0 };
const duration: Schema = { type: 'string', pattern: '^([0-9]+(ms|s|m|h))+$' };
const texts: Schema = { type: 'object', additionalProperties: text };
const list = (items: Schema): Schema => ({ type: 'array', items });

function object(properties: Readonly<Record<string, Schema>>, ...required: string[]): Schema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

const POLICY = object({ type: text, value: count, periodSeconds: count }, 'type', 'value', 'periodSeconds');
const SCALING = object({
  stabilizationWindowSeconds: count,
  selectPolicy: text,
  policies: list(POLICY),
});

const SCALED_OBJECT = object(
  {
    scaleTargetRef: object({ name: text, kind: text, apiVersion: text }, 'name'),
    minReplicaCount: count,
    maxReplicaCount: count,
    pollingInterval: count,
    cooldownPeriod: count,
    fallback: object({ failureThreshold: count, replicas: count }, 'failureThreshold', 'replicas'),
    advanced: object({
      horizontalPodAutoscalerConfig: object({ behavior: object({ scaleUp: SCALING, scaleDown: SCALING }) }),
    }),
    triggers: list(
      object(
        { type: text, name: text, metadata: texts, authenticationRef: object({ name: text }, 'name') },
        'type',
        'metadata',
      ),
    ),
  },
  'scaleTargetRef',
  'triggers',
);

const SERVICE_MONITOR = object(
  {
    selector: object({ matchLabels: texts }),
    namespaceSelector: object({ matchNames: list(text) }),
    targetLabels: list(text),
    endpoints: list(object({ port: text, path: text, interval: duration, scrapeTimeout: duration })),
  },
  'selector',
  'endpoints',
);

const RULE = object({ alert: text, expr: text, for: duration, labels: texts, annotations: texts }, 'expr');
const PROMETHEUS_RULE = object({
  groups: list(object({ name: text, interval: duration, rules: list(RULE) }, 'name')),
});

/**
 * Resources of operators as their documentation describes the fields that the overlays use, written by hand, for clusters
 * without the operators. An API server refuses all other fields.
 */
export const OPERATOR_DEFINITIONS: readonly Manifest[] = [
  definition('keda.sh/v1alpha1', 'ScaledObject', SCALED_OBJECT),
  definition('monitoring.coreos.com/v1', 'ServiceMonitor', SERVICE_MONITOR),
  definition('monitoring.coreos.com/v1', 'PrometheusRule', PROMETHEUS_RULE),
];

function definition(apiVersion: string, kind: string, spec: Schema): Manifest {
  const [group, name] = apiVersion.split('/');
  const singular = kind.toLowerCase();
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural: `${singular}s`, singular },
      scope: 'Namespaced',
      versions: [
        { name, served: true, storage: true, schema: { openAPIV3Schema: object({ spec }, 'spec') } },
      ],
    },
  };
}
