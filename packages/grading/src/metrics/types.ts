import type { CollectorName, MetricType } from '@agentclash/challengepack';

export type MetricState = 'available' | 'unavailable';

/** What a collector found: the value, or a code for why there is none. */
export type Measurement =
  | { readonly state: 'available'; readonly value: number | boolean; readonly reason: null }
  | { readonly state: 'unavailable'; readonly value: null; readonly reason: string };

/** One metric of one attempt, in declaration order on its scorecard. */
export interface MetricResult {
  readonly key: string;
  readonly type: MetricType;
  readonly collector: CollectorName;
  readonly state: MetricState;
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
