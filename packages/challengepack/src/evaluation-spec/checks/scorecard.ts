import type { ScorecardDraft } from '../authored.js';
import { checkDimensions } from './dimensions.js';
import { checkJudgeBudget } from './judge-budget.js';
import type { SpecCheck } from './spec-check.js';

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

/** Whether a dimension is a gate, or one could not be read that might be. */
function mayHaveGate(check: SpecCheck, { dimensions }: ScorecardDraft): boolean {
  const at = check.at.field('scorecard').field('dimensions');
  if (dimensions === undefined || check.isFaulty(at)) return true;
  return dimensions.some(
    (dimension, index) =>
      dimension === undefined || dimension.gate === true || check.isFaulty(at.index(index).field('gate')),
  );
}
