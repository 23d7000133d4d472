import type { ScorecardDraft } from '../authored.js';
import { findPriceRow } from '../price-rows.js';
import { providerOfModel } from '../providers.js';
import { judgeModels } from './judge-models.js';
import type { SpecCheck } from './spec-check.js';

/** A cap in dollars needs the price of every judging model; an alias is resolved, and priced, when a run is created. */
export function checkJudgeBudget(check: SpecCheck, scorecard: ScorecardDraft): void {
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
