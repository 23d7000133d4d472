import type { FieldPath } from '../../decode/field-path.js';
import type { DimensionDraft } from '../authored.js';
import { impliedDirection } from '../directions.js';
import type { SpecCheck } from './spec-check.js';

/** A raw value becomes a score between two bounds, the better one being the target. */
export function checkBounds(check: SpecCheck, dimension: DimensionDraft, at: FieldPath): void {
  const boundsAt = at.field('normalization');
  const bounds = dimension.normalization;
  if (olderBlockIsFaulty(check, dimension)) return;
  check.require(bounds, boundsAt);
  if (bounds === undefined) return;
  check.require(bounds.target, boundsAt.field('target'));
  check.require(bounds.max, boundsAt.field('max'));
  if (bounds.target === undefined || bounds.max === undefined) return;
  const direction = impliedDirection(dimension.source) ?? dimension.better_direction;
  if (direction === 'lower' && bounds.max <= bounds.target) {
    check.report('out_of_range', boundsAt.field('max'), {
      message: 'max must lie above target: lower is better',
    });
  }
  if (direction === 'higher' && bounds.max >= bounds.target) {
    check.report('out_of_range', boundsAt.field('max'), {
      message: 'max must lie below target: higher is better',
    });
  }
}

const OLDER_MEMBERS = { latency: ['target_ms', 'max_ms'], cost: ['target_usd', 'max_usd'] } as const;
const LIMITS = { latency: 'max_duration_ms', cost: 'max_cost_usd' } as const;

/** Whether the scorecard's older block, from which these bounds may come, has a problem that is reported already. */
function olderBlockIsFaulty(check: SpecCheck, { source }: DimensionDraft): boolean {
  if (source !== 'latency' && source !== 'cost') return false;
  const older = check.at.field('scorecard').field('normalization');
  const block = older.field(source);
  const limits = check.at.field('runtime_limits');
  const locations = [older, block, limits, limits.field(LIMITS[source])];
  locations.push(...OLDER_MEMBERS[source].map((member) => block.field(member)));
  return locations.some((location) => check.isFaulty(location));
}
