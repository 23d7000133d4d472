import { COLLECTORS } from '../collectors.js';
import { canonicalProvider } from '../providers.js';
import { eachEntry, type SpecCheck } from './spec-check.js';

/** A metric has the type of what its collector yields. */
export function checkMetrics(check: SpecCheck): void {
  eachEntry(check.spec.metrics, check.at.field('metrics'), ({ type, collector }, at) => {
    if (type === undefined || collector === undefined) return;
    const yields = COLLECTORS[collector].type;
    if (type === yields) return;
    check.report('contradiction', at.field('type'), {
      message: `${collector} is ${yields}`,
      suggestion: yields,
    });
  });
}

/** One price row per provider and model. */
export function checkPricing(check: SpecCheck): void {
  const seen = new Set<string>();
  eachEntry(check.spec.pricing?.models, check.at.field('pricing').field('models'), (row, at) => {
    if (row.provider_key === undefined || row.provider_model_id === undefined) return;
    const pair = JSON.stringify([canonicalProvider(row.provider_key), row.provider_model_id]);
    if (seen.has(pair)) check.report('not_unique', at.field('provider_model_id'));
    seen.add(pair);
  });
}
