import { STREAMS } from '@agentclash/bus';
import { ACCESS, ERRORS } from '@agentclash/contracts';
import { OUTCOMES, RUN_STATUSES } from '@agentclash/domain';
import { METRICS } from '@agentclash/service-kit';

/** Metrics of Prometheus and of the metrics library. */
const BUILT_IN = /^(?:up|(?:process|nodejs)_[a-z0-9_]+)$/;
/** Labels that scraping adds. */
const ADDED = new Set(['le', 'namespace', 'pod', 'service', 'app_kubernetes_io_name']);
const KEYWORDS =
  /\b(?:sum|max|min|avg|count|by|and|or|unless|rate|irate|increase|delta|changes|absent|clamp_min|topk|bottomk|histogram_quantile)\b/g;

/** The metrics of a PromQL expression that no service exports, and the labels that none of its metrics has. */
export function unknownTo(expression: string): string[] {
  const text = expression.replace(/"[^"]*"/g, '""').replace(/\[[^\]]*\]/g, '');
  const labels = [...labelsIn(text)];
  const names = [...text.replace(/\{[^}]*\}|by \([^)]*\)/g, '').matchAll(/[a-zA-Z_]\w*/g)]
    .map(([name]) => name)
    .filter((name) => !name.match(KEYWORDS));
  const known = names.flatMap((name) => metricLabelsOf(name) ?? []);
  return [
    ...names.filter((name) => metricLabelsOf(name) === undefined),
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

/** The labels of a metric or of a series of a histogram; undefined for an unknown metric. */
function metricLabelsOf(name: string): readonly string[] | undefined {
  const catalog: Record<string, { kind: string; labels: readonly string[] }> = METRICS;
  const [, histogram = ''] = /^(.*)_(?:bucket|sum|count)$/.exec(name) ?? [];
  if (catalog[histogram]?.kind === 'histogram') return catalog[histogram].labels;
  if (catalog[name] !== undefined && catalog[name].kind !== 'histogram') return catalog[name].labels;
  return BUILT_IN.test(name) ? [] : undefined;
}

/** The labels that every series of the result of a PromQL expression has, in all of its alternatives. */
export function resultLabelsOf(expression: string): string[] {
  // The result of `a and b` has the labels of `a`.
  const alternatives = expression.split(/\s+or\s+/).map((part) => labelsOf(part.split(/\s+and\s+/)[0] ?? ''));
  const [first = [], ...others] = alternatives;
  return first.filter((label) => others.every((labels) => labels.includes(label)));
}

function labelsOf(expression: string): string[] {
  // The result of absent() has the labels of its selector.
  if (expression.trim().startsWith('absent(')) {
    return [...expression.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
  }
  const labels = groupsOf(expression)[0] ?? [];
  return expression.includes('histogram_quantile') ? labels.filter((label) => label !== 'le') : labels;
}

/** Every histogram_quantile of an expression whose histogram is summed without its buckets. */
export function bucketlessIn(expression: string): string[] {
  return expression
    .split(/(?=histogram_quantile\()/)
    .filter((part) => part.startsWith('histogram_quantile(') && !groupsOf(part)[0]?.includes('le'));
}

function groupsOf(expression: string): string[][] {
  return [...expression.matchAll(/by \(([^)]*)\)/g)].map(([, inner = '']) =>
    inner.split(',').map((label) => label.trim()),
  );
}

/** The status codes of the API; those of providers are among them. */
const HTTP = ['200', '201', '202', '204', ...Object.values(ERRORS).map(({ http }) => String(http))];

/** The possible values of labels, by name, or by metric and name where metrics differ. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  namespace: ['agentclash'],
  app_kubernetes_io_name: Object.keys(ACCESS),
  stream: Object.values(STREAMS).map(({ name }) => name),
  outcome: OUTCOMES,
  code: ['ok', ...Object.keys(ERRORS)],
  next: ['queued', 'finished'],
  'agentclash_runs_ended_total status': RUN_STATUSES,
  'agentclash_http_request_duration_seconds status': HTTP,
  'agentclash_model_tries_failed_total status': HTTP,
  'agentclash_sandbox_create_duration_seconds result': ['ok', 'failed'],
  'agentclash_scoring_duration_seconds result': ['scored', 'not_now', 'failed'],
};

/** Each `label="value"` of a PromQL expression whose value the label cannot have. */
export function unknownValuesIn(expression: string): string[] {
  return [...expression.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, metric = '', inner = '']) =>
    [...inner.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)]
      .filter(([, label = '', operator = '', value = '']) => {
        const known = VALUES[`${metric.replace(/_(?:bucket|sum|count)$/, '')} ${label}`] ?? VALUES[label];
        const isMeant = operator.endsWith('~')
          ? (each: string) => new RegExp(`^(?:${value})$`).test(each)
          : (each: string) => each === value;
        return known?.some(isMeant) !== true;
      })
      .map(([matcher]) => matcher),
  );
}
