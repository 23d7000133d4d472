import type { DimensionSource, Direction } from './types.js';

/** The direction of a dimension that names none; a metric must name it. */
export function impliedDirection(source: DimensionSource | undefined): Direction | undefined {
  if (source === undefined || source === 'metric') return undefined;
  return source === 'latency' || source === 'cost' ? 'lower' : 'higher';
}
