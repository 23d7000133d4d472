import { type ObjectOf, ofKind } from '../manifests/kinds.js';
import type { Manifest } from '../manifests/manifest.js';
import { bucketlessIn, resultLabelsOf, unknownValuesIn } from '../observability/promql.js';
import { type Change, inObject, type Policy, type Violations } from './policy.js';

export const MONITORING = {
  'every alert selects existing values of its labels': (manifests) =>
    rulesOf(manifests).flatMap(({ expr }) => unknownValuesIn(expr)),
  'every quantile is computed from buckets': (manifests) =>
    rulesOf(manifests).flatMap(({ expr }) => bucketlessIn(expr)),
  'every alert names only labels of its result': (manifests) =>
    rulesOf(manifests).flatMap(({ alert, expr, annotations }) => {
      const labels = resultLabelsOf(expr);
      return Object.values(annotations)
        .flatMap((text) => [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label))
        .filter((label) => !labels.includes(label))
        .map((label) => `${alert}: ${label}`);
    }),
  'the timeout of a scrape does not exceed its interval': (manifests) =>
    ofKind(manifests, 'ServiceMonitor').flatMap(({ metadata, spec }) =>
      spec.endpoints
        .filter(({ interval, scrapeTimeout }) => !(secondsOf(scrapeTimeout) <= secondsOf(interval)))
        .map(({ port }) => `${metadata.name}: ${port}`),
    ),
} satisfies Record<string, Policy>;

type AlertOrRecord = ObjectOf<'PrometheusRule'>['spec']['groups'][number]['rules'][number];

function rulesOf(manifests: readonly Manifest[]): AlertOrRecord[] {
  return ofKind(manifests, 'PrometheusRule').flatMap(({ spec }) => spec.groups.flatMap(({ rules }) => rules));
}

/** NaN for a time that is not in seconds or minutes. */
function secondsOf(time: string): number {
  const [, number, unit] = /^(\d+)(s|m)$/.exec(time) ?? [];
  return Number(number) * (unit === 'm' ? 60 : 1);
}

export const VIOLATIONS_OF_MONITORING: Violations<typeof MONITORING> = {
  'every alert selects existing values of its labels': [
    inRules('outcome="infra_error"', 'outcome="infra-error"'),
    inRules('stream="JOBS"', 'stream="JOB"'),
    inRules('code!="unavailable"', 'code!="away"'),
    inRules('status=~"5.."', 'status=~"5xx"'),
    inRules('result="failed"', 'result="ok"'),
  ],
  'every quantile is computed from buckets': inRules('sum by (le, message)', 'sum by (message)'),
  'every alert names only labels of its result': [
    inRules('$labels.consumer', '$labels.queue'),
    inRules('max by (consumer)', 'max by (stream)'),
    inRules('absent(up{namespace="agentclash",app_kubernetes_io_name="scoring"})', 'absent(up)'),
  ],
  'the timeout of a scrape does not exceed its interval': inObject('ServiceMonitor', ({ spec }) => {
    if (spec) spec.endpoints = [{ port: 'metrics', interval: '15s', scrapeTimeout: '20s' }];
  }),
};

function inRules(was: string, broken: string): Change {
  return inObject('PrometheusRule', (manifest) => {
    const change = (_: string, value: unknown): unknown =>
      typeof value === 'string' ? value.replaceAll(was, broken) : value;
    manifest.spec = JSON.parse(JSON.stringify(manifest.spec), change) as Record<string, unknown>;
  });
}
