import type { MONITORING } from './monitoring.js';
import { type Change, inObject, type Violations } from './violation.js';

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
