import { METRICS } from '@agentclash/service-kit';

/** What Prometheus and the library of metrics bring by themselves. */
const GIVEN = /^(?:up|(?:process|nodejs)_[a-z0-9_]+)$/;
/** Labels that scraping adds. */
const ADDED = new Set(['le', 'namespace', 'pod', 'service', 'app_kubernetes_io_name']);
const WORDS =
  /\b(?:sum|max|min|avg|count|by|and|or|unless|rate|irate|increase|delta|changes|absent|clamp_min|topk|bottomk|histogram_quantile)\b/g;

/** What a PromQL expression asks for that no service tells: metrics by name, and labels of none of its metrics. */
export function unknownTo(expression: string): string[] {
  const text = expression.replace(/"[^"]*"/g, '""').replace(/\[[^\]]*\]/g, '');
  const labels = [...labelsIn(text)];
  const names = [...text.replace(/\{[^}]*\}|by \([^)]*\)/g, '').matchAll(/[a-zA-Z_]\w*/g)]
    .map(([name]) => name)
    .filter((name) => !name.match(WORDS));
  const known = names.flatMap((name) => labelsOf(name) ?? []);
  return [
    ...names.filter((name) => labelsOf(name) === undefined),
    ...labels.filter((label) => !ADDED.has(label) && !known.includes(label)),
  ];
}

function* labelsIn(text: string): Generator<string> {
  for (const [, inner = ''] of text.matchAll(/\{([^}]*)\}/g)) {
    for (const [, label = ''] of inner.matchAll(/(\w+)\s*[=!]/g)) yield label;
  }
  for (const [, inner = ''] of text.matchAll(/by \(([^)]*)\)/g)) {
    yield* inner.split(',').map((label) => label.trim());
  }
}

/** The labels of a metric, or of a part of a histogram; nothing when there is no such metric. */
function labelsOf(name: string): readonly string[] | undefined {
  const catalog: Record<string, { kind: string; labels: readonly string[] }> = METRICS;
  const [, histogram = ''] = /^(.*)_(?:bucket|sum|count)$/.exec(name) ?? [];
  if (catalog[histogram]?.kind === 'histogram') return catalog[histogram].labels;
  if (catalog[name] !== undefined && catalog[name].kind !== 'histogram') return catalog[name].labels;
  return GIVEN.test(name) ? [] : undefined;
}
