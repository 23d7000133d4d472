import type { CollectorName, MetricType } from '@agentclash/challengepack';
import type { MeasureState } from '@agentclash/domain';

/** The result of a collector: the value, or the code of the reason for its absence. */
export type Measurement =
  | { readonly state: 'available'; readonly value: number | boolean; readonly reason: null }
  | { readonly state: 'unavailable'; readonly value: null; readonly reason: string };

/** One metric of one attempt, in declaration order on its scorecard. */
export interface MetricResult {
  readonly key: string;
  readonly type: MetricType;
  readonly collector: CollectorName;
  readonly state: MeasureState;
  readonly value: number | boolean | null;
  readonly reason: string | null;
  readonly unit: string | null;
}

export function measured(value: number | boolean): Measurement {
  return { state: 'available', value, reason: null };
}

export function unmeasured(reason: string): Measurement {
  return { state: 'unavailable', value: null, reason };
}
