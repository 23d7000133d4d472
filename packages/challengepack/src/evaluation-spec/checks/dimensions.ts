import type { FieldPath } from '../../decode/field-path.js';
import type { DimensionDraft } from '../authored.js';
import { impliedDirection } from '../directions.js';
import type { DimensionSource } from '../types.js';
import { checkBounds } from './normalization.js';
import { eachEntry, type SpecCheck } from './spec-check.js';

type SourceCheck = (check: SpecCheck, dimension: DimensionDraft, at: FieldPath) => void;

/** What a source needs of its dimension; the sources that are missing here need nothing. */
const SOURCE_CHECKS: { readonly [S in DimensionSource]?: SourceCheck } = {
  validators: checkValidatorKeys,
  metric: (check, dimension, at) => {
    checkKey(check, { field: 'metric', key: dimension.metric, list: 'metrics' }, at);
    checkBounds(check, dimension, at);
  },
  latency: checkBounds,
  cost: checkBounds,
  human_preference: (check, _dimension, at) =>
    check.report('not_implemented', at.field('source'), {
      message:
        'not implemented: nothing collects votes, so that no attempt would ever have this score; use a validator, or a judge (source: llm_judge)',
    }),
  llm_judge: (check, dimension, at) =>
    checkKey(check, { field: 'judge_key', key: dimension.judge_key, list: 'llm_judges' }, at),
};

export function checkDimensions(check: SpecCheck): void {
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
    checkDirection(check, dimension, dimensionAt);
    checkThreshold(check, dimension, dimensionAt);
  });
}

function checkValidatorKeys(check: SpecCheck, dimension: DimensionDraft, at: FieldPath): void {
  eachEntry(dimension.validators, at.field('validators'), (key, keyAt) => {
    check.requireKey({ key, list: 'validators' }, keyAt);
  });
}

function checkKey(
  check: SpecCheck,
  named: { field: 'metric' | 'judge_key'; key: string | undefined; list: 'metrics' | 'llm_judges' },
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
