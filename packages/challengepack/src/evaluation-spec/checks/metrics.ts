import { COLLECTORS } from '../collectors.js';
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
