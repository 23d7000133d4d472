import type { FieldPath } from '../../decode/field-path.js';
import type { Problems } from '../../decode/problems.js';
import type { SpecDraft } from '../authored.js';
import { checkJudgeMode, checkJudges } from './judges.js';
import { checkKeys } from './keys.js';
import { checkMetrics, checkPricing } from './metrics.js';
import { checkBehavioral, checkScorecard } from './scorecard.js';
import { SpecCheck, type SpecContext } from './spec-check.js';
import { checkUsage } from './usage.js';
import { checkValidators } from './validators.js';

/** Usage comes before the references are checked: a dimension that names a wrong key still leaves the right one unused. */
const CHECKS: readonly ((check: SpecCheck) => void)[] = [
  checkJudgeMode,
  checkKeys,
  checkUsage,
  checkValidators,
  checkMetrics,
  checkBehavioral,
  checkPricing,
  checkJudges,
  checkScorecard,
];

export interface SpecToCheck {
  /** Normalised. */
  spec: SpecDraft;
  at: FieldPath;
  context: SpecContext;
}

/** Reports what decoding alone cannot see: rules between fields, references, and what the execution mode forbids. */
export function checkEvaluationSpec({ spec, at, context }: SpecToCheck, problems: Problems): void {
  const check = new SpecCheck(spec, at, problems, context);
  for (const run of CHECKS) run(check);
}
