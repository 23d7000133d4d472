import { type ObjectOf, ofKind } from '../manifests/kinds.js';
import type { Manifest } from '../manifests/manifest.js';
import { bucketlessIn, resultLabelsOf, unknownValuesIn } from '../observability/promql.js';
import type { Policy } from './policy.js';

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
