import { type ObjectOf, ofKind } from '../manifests/kinds.js';
import type { Manifest } from '../manifests/manifest.js';
import { unknownValuesIn } from '../observability/label-values.js';
import { bucketlessIn, resultLabelsOf } from '../observability/result-labels.js';
import type { Policy } from './policy.js';

export const MONITORING = {
  'every alert asks for values that its labels have': (manifests) =>
    rulesOf(manifests).flatMap(({ expr }) => unknownValuesIn(expr)),
  'every quantile is of buckets': (manifests) => rulesOf(manifests).flatMap(({ expr }) => bucketlessIn(expr)),
  'every alert tells of labels that it has': (manifests) =>
    rulesOf(manifests).flatMap(({ alert, expr, annotations }) => {
      const labels = resultLabelsOf(expr);
      return Object.values(annotations)
        .flatMap((text) => [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label))
        .filter((label) => !labels.includes(label))
        .map((label) => `${alert}: ${label}`);
    }),
  'metrics are waited for no longer than until they are read again': (manifests) =>
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

/** NaN, which is no time at all, for what is not written in seconds or minutes. */
function secondsOf(time: string): number {
  const [, number, unit] = /^(\d+)(s|m)$/.exec(time) ?? [];
  return Number(number) * (unit === 'm' ? 60 : 1);
}
