import type { FieldPath } from '../../decode/field-path.js';
import type { ConfigDraft } from '../authored.js';
import type { SpecCheck } from './spec-check.js';

/** The counts, `must_call` and the order of one assertion must be able to hold together. */
export function checkToolCallAssertion(
  check: SpecCheck,
  config: ConfigDraft<'tool_call_assertion'>,
  at: FieldPath,
): void {
  const { count, min_count: min, max_count: max } = config;
  if (count !== undefined && (min !== undefined || max !== undefined)) {
    check.report('contradiction', at.field('count'), { message: 'count is exact: give no bound beside it' });
  }
  if (min !== undefined && max !== undefined && min > max) {
    check.report('out_of_range', at.field('max_count'), { message: 'max_count is below min_count' });
  }
  if (contradictsCounts(config)) {
    check.report('contradiction', at.field('must_call'), { message: 'the counts contradict it' });
  }
  if (config.order_mode !== undefined && (config.ordered_tools?.length ?? 0) === 0) {
    check.require(undefined, at.field('ordered_tools'));
  }
}

function contradictsCounts(config: ConfigDraft<'tool_call_assertion'>): boolean {
  if (config.must_call === undefined) return false;
  const most = config.count ?? config.max_count ?? Number.POSITIVE_INFINITY;
  const least = config.count ?? config.min_count ?? 0;
  return config.must_call ? most < 1 : least > 0;
}
