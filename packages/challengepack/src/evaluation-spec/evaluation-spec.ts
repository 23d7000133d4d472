import type { FieldPath } from '../decode/field-path.js';
import type { Problems } from '../decode/problems.js';
import type { SpecDraft } from './authored.js';
import { checkJudgeMode, checkJudges } from './checks/judges.js';
import { checkKeys } from './checks/keys.js';
import { checkMetrics, checkPricing } from './checks/metrics.js';
import { checkBehavioral, checkScorecard } from './checks/scorecard.js';
import { SpecCheck, type SpecContext } from './checks/spec-check.js';
import { checkUsage } from './checks/usage.js';
import { checkValidators } from './checks/validators.js';

export { normalizeSpec } from './read.js';
export { EVALUATION_SPEC } from './shapes/spec-shape.js';

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
