import { compareCodePoints } from '@agentclash/challengepack';
import { canonicalSha256 } from '../canonical.js';
import { FAILURE_CLASSES } from './classes.js';
import { FAILURE_RULES } from './rules.js';
import { failureSignals } from './signals.js';
import type {
  EvidenceTier,
  FailedAttempt,
  FailureClass,
  FailureClassName,
  FailureSeverity,
} from './types.js';

const OBSERVED_TIERS: ReadonlySet<EvidenceTier> = new Set(['native_structured', 'hosted_structured']);

/** Names why an attempt did not pass, and whether the agent is the cause. */
export function classifyFailure(failed: FailedAttempt): FailureClass {
  const signals = failureSignals(failed);
  const name = FAILURE_RULES.find((rule) => rule.applies(signals))?.class ?? 'other';
  const { code, agent_fault } = FAILURE_CLASSES[name];
  return {
    class: name,
    code,
    agent_fault,
    severity: severityOf(name, failed.evidence_tier),
    failing_keys: [
      ...new Set(name === 'evaluation_fault' ? faultyKeys(failed) : signals.failing.map(({ key }) => key)),
    ].sort(compareCodePoints),
  };
}

/** Of an evaluation failure: the validators and judges that could not grade. */
function faultyKeys({ validators, judges }: FailedAttempt): string[] {
  const faulty = validators.filter(
    ({ outcome }) => outcome === 'pack_error' || outcome === 'evaluator_error',
  );
  const unscored = judges.filter(({ scored }) => !scored);
  return [...faulty, ...unscored].map(({ key }) => key);
}

function severityOf(name: FailureClassName, tier: EvidenceTier): FailureSeverity {
  const { severity, blocks } = FAILURE_CLASSES[name];
  if (severity !== undefined) return severity;
  return blocks && OBSERVED_TIERS.has(tier) ? 'blocking' : 'warning';
}

/** Names a failure across runs and agents, so that recurrences meet: `frc_` and 64 hex digits. */
export function failureClusterKey(
  packSlug: string,
  caseKey: string,
  failure: Pick<FailureClass, 'class' | 'failing_keys'>,
): string {
  return `frc_${canonicalSha256([packSlug, caseKey, failure.class, failure.failing_keys])}`;
}
