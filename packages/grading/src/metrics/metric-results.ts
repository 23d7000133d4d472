import { COLLECTORS, type Metric } from '@agentclash/challengepack';
import { COLLECT, type MetricEvidence } from './collectors.js';
import type { MetricResult } from './types.js';

/** Every declared metric, in order. */
export function collectMetrics(metrics: readonly Metric[], evidence: MetricEvidence): MetricResult[] {
  return metrics.map((metric) => {
    const { state, value, reason } = COLLECT[metric.collector](evidence);
    const { key, type, collector } = metric;
    return { key, type, collector, state, value, reason, unit: metric.unit ?? COLLECTORS[collector].unit };
  });
}
