import { STREAMS } from '@agentclash/bus';
import { ACCESS, ERRORS } from '@agentclash/contracts';
import { OUTCOMES, RUN_STATUSES } from '@agentclash/domain';

/** Answers of ours; those of providers are among them. */
const HTTP = ['200', '201', '202', '204', ...Object.values(ERRORS).map(({ http }) => String(http))];

/** What labels may be, by name, or by metric and name where metrics differ. */
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

/** Each `label="value"` of a PromQL expression that is none of the values that the label has. */
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
