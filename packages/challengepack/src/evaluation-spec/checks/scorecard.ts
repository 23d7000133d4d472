import type { FieldPath } from '../../decode/field-path.js';
import type { DimensionDraft, ScorecardDraft } from '../authored.js';
import { impliedDirection } from '../directions.js';
import { findPriceRow } from '../price-rows.js';
import { providerOfModel } from '../providers.js';
import type { DimensionSource } from '../types.js';
import { judgeModels } from './judges.js';
import { eachEntry, type SpecCheck } from './spec-check.js';

export function checkScorecard(check: SpecCheck): void {
  checkDimensions(check);
  const { scorecard } = check.spec;
  if (scorecard === undefined) return;
  const at = check.at.field('scorecard');
  if (scorecard.strategy === 'binary' && scorecard.pass_threshold !== undefined) {
    check.report('contradiction', at.field('pass_threshold'), {
      message: 'binary passes when every dimension does: set thresholds there',
    });
  }
  checkGates(check, scorecard);
  checkJudgeBudget(check, scorecard);
}

/** Hybrid needs a gate; weighted without gate and threshold never passes or fails. */
function checkGates(check: SpecCheck, scorecard: ScorecardDraft): void {
  const at = check.at.field('scorecard');
  const strategy = scorecard.strategy ?? (check.isFaulty(at.field('strategy')) ? undefined : 'weighted');
  if (strategy === undefined || strategy === 'binary' || mayHaveGate(check, scorecard)) return;
  if (strategy === 'hybrid') {
    check.report('contradiction', at.field('strategy'), {
      message: 'hybrid needs a dimension with gate: true',
    });
  } else if (!check.isWritten(scorecard.pass_threshold, at.field('pass_threshold'))) {
    check.report('no_pass_bar', at);
  }
}

/** True when a dimension is a gate, or one could not be read that might be. */
function mayHaveGate(check: SpecCheck, { dimensions }: ScorecardDraft): boolean {
  const at = check.at.field('scorecard').field('dimensions');
  if (dimensions === undefined || check.isFaulty(at)) return true;
  return dimensions.some(
    (dimension, index) =>
      dimension === undefined || dimension.gate === true || check.isFaulty(at.index(index).field('gate')),
  );
}

type SourceCheck = (check: SpecCheck, dimension: DimensionDraft, at: FieldPath) => void;

/** The requirements of a source to its dimension; the sources that are missing here need nothing. */
const SOURCE_CHECKS: { readonly [S in DimensionSource]?: SourceCheck } = {
  validators: checkValidatorKeys,
  report: checkReported,
  metric: (check, dimension, at) => {
    checkKey(check, { field: 'metric', key: dimension.metric, list: 'metrics' }, at);
    checkBounds(check, dimension, at);
  },
  latency: checkBounds,
  cost: checkBounds,
  llm_judge: (check, dimension, at) =>
    checkKey(check, { field: 'judge_key', key: dimension.judge_key, list: 'llm_judges' }, at),
};

function checkDimensions(check: SpecCheck): void {
  const at = check.at.field('scorecard').field('dimensions');
  eachEntry(check.spec.scorecard?.dimensions, at, (dimension, dimensionAt) => {
    const sourceAt = dimensionAt.field('source');
    // A source that could not be read may look like one inferred from the key.
    if (check.isFaulty(sourceAt)) return;
    if (dimension.source === undefined) {
      // The key that could not be read may have been one that determines the source.
      if (!check.problems.isUndecodable(dimensionAt.field('key'))) check.report('required', sourceAt);
      return;
    }
    SOURCE_CHECKS[dimension.source]?.(check, dimension, dimensionAt);
    checkJudgeKey(check, dimension, dimensionAt);
    checkScoring(check, dimension, dimensionAt);
    checkValidatorKey(check, dimension, dimensionAt);
    checkDirection(check, dimension, dimensionAt);
    checkThreshold(check, dimension, dimensionAt);
  });
}

function checkValidatorKeys(check: SpecCheck, dimension: DimensionDraft, at: FieldPath): void {
  eachEntry(dimension.validators, at.field('validators'), (key, keyAt) => {
    check.requireKey({ key, list: 'validators' }, keyAt);
  });
}

/** Its metric is one of a report, which only a test run with a report of format reward_json has. */
function checkReported(check: SpecCheck, dimension: DimensionDraft, at: FieldPath): void {
  checkKey(check, { field: 'validator', key: dimension.validator, list: 'validators' }, at);
  check.require(dimension.metric, at.field('metric'));
  if ((dimension.validators?.length ?? 0) > 0) {
    check.report('contradiction', at.field('validators'), { message: 'source report reads validator' });
  }
  const named = (check.spec.validators ?? []).findIndex((each) => each?.key === dimension.validator);
  const validator = check.spec.validators?.[named];
  if (dimension.validator === undefined || validator?.type === undefined) return;
  const configAt = check.at.field('validators').index(named).field('config');
  const reportsAt = configAt.field('reports');
  if (check.isFaulty(configAt) || check.isFaulty(reportsAt)) return;
  const reports = validator.type === 'code_execution' ? (validator.config?.reports ?? []) : [];
  const isClear = reports.every((report) => report?.format !== undefined);
  if (!isClear || reports.some((report) => report?.format === 'reward_json')) return;
  check.report('contradiction', at.field('validator'), {
    message: `${dimension.validator} has no report of format reward_json`,
  });
}

function checkValidatorKey(check: SpecCheck, { source, validator }: DimensionDraft, at: FieldPath): void {
  if (source === 'report' || validator === undefined) return;
  check.report('contradiction', at.field('validator'), {
    message: `source ${source} reads no report`,
    ...(source === 'validators' && { suggestion: 'validators' }),
  });
}

function checkKey(
  check: SpecCheck,
  named: {
    field: 'metric' | 'judge_key' | 'validator';
    key: string | undefined;
    list: 'metrics' | 'llm_judges' | 'validators';
  },
  at: FieldPath,
): void {
  const keyAt = at.field(named.field);
  check.require(named.key, keyAt);
  if (named.key !== undefined) check.requireKey({ key: named.key, list: named.list }, keyAt);
}

function checkJudgeKey(check: SpecCheck, { source, judge_key }: DimensionDraft, at: FieldPath): void {
  if (source === 'llm_judge' || judge_key === undefined) return;
  check.report('contradiction', at.field('judge_key'), { message: `source ${source} reads no judge` });
}

function checkScoring(check: SpecCheck, { source, scoring }: DimensionDraft, at: FieldPath): void {
  if (source === 'validators' || scoring === undefined) return;
  check.report('contradiction', at.field('scoring'), { message: `source ${source} reads no validators` });
}

function checkDirection(check: SpecCheck, dimension: DimensionDraft, at: FieldPath): void {
  const directionAt = at.field('better_direction');
  const implied = impliedDirection(dimension.source);
  if (implied === undefined) check.require(dimension.better_direction, directionAt);
  else if (dimension.better_direction !== undefined && dimension.better_direction !== implied) {
    check.report('contradiction', directionAt, {
      message: `${implied} is always better for ${dimension.source}`,
    });
  }
}

function checkThreshold(check: SpecCheck, dimension: DimensionDraft, at: FieldPath): void {
  const isNeeded = dimension.gate === true || check.spec.scorecard?.strategy === 'binary';
  if (isNeeded) check.require(dimension.pass_threshold, at.field('pass_threshold'));
}

/** A raw value becomes a score between two bounds, the better one being the target. */
function checkBounds(check: SpecCheck, dimension: DimensionDraft, at: FieldPath): void {
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

/** True when the scorecard's older block, from which these bounds may come, has a problem that is reported already. */
function olderBlockIsFaulty(check: SpecCheck, { source }: DimensionDraft): boolean {
  if (source !== 'latency' && source !== 'cost') return false;
  const older = check.at.field('scorecard').field('normalization');
  const block = older.field(source);
  const limits = check.at.field('runtime_limits');
  const locations = [older, block, limits, limits.field(LIMITS[source])];
  locations.push(...OLDER_MEMBERS[source].map((member) => block.field(member)));
  return locations.some((location) => check.isFaulty(location));
}

/** A cap in dollars needs the price of every judging model; an alias is resolved, and priced, when a run is created. */
function checkJudgeBudget(check: SpecCheck, scorecard: ScorecardDraft): void {
  const cap = scorecard.judge_limits?.max_calls_usd;
  if (cap === undefined || cap <= 0) return;
  const pricingAt = check.at.field('pricing');
  if (check.isFaulty(pricingAt) || check.isFaulty(pricingAt.field('models'))) return;
  const rows = (check.spec.pricing?.models ?? []).filter((row) => row !== undefined);
  const unpriced = judgeModels(check.spec).filter((id) => {
    const provider = providerOfModel(id);
    return provider !== undefined && findPriceRow(rows, { provider, id }) === undefined;
  });
  if (unpriced.length === 0) return;
  check.report(
    'unknown_reference',
    check.at.field('scorecard').field('judge_limits').field('max_calls_usd'),
    {
      message: `no price row for ${[...new Set(unpriced)].join(', ')}`,
    },
  );
}

/** The panel is there when a dimension reads it, and every gate of it has a threshold. */
export function checkBehavioral(check: SpecCheck): void {
  const { spec } = check;
  const at = check.at.field('behavioral');
  if (spec.scorecard?.dimensions?.some((dimension) => dimension?.source === 'behavioral')) {
    check.require(spec.behavioral, at);
  }
  eachEntry(spec.behavioral?.signals, at.field('signals'), (signal, signalAt) => {
    if (signal.gate) check.require(signal.pass_threshold, signalAt.field('pass_threshold'));
  });
}
