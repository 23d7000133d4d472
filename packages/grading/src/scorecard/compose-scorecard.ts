import type { EvaluationSpec, Security } from '@agentclash/challengepack';
import { isGraded, numberIn } from '@agentclash/domain';
import { behaviorEvidence } from '../behavior/panel.js';
import { isToolTraceKnown } from '../evidence/imported.js';
import type { AttemptEvidence } from '../evidence/types.js';
import type { JudgeResult } from '../judges/types.js';
import { collectMetrics, type MetricEvidence } from '../metrics/collectors.js';
import { modelCostUsd } from '../metrics/model-calls.js';
import { endEvent } from '../metrics/run-clock.js';
import type { SecurityEvidence } from '../security/incidents.js';
import { judgeSecurity } from '../security/judge-security.js';
import type { ValidatorResult } from '../validators/result.js';
import { buildScorecard } from './build-scorecard.js';
import { type DimensionInputs, missing, SOURCES } from './dimension-sources.js';
import { importedScorecard } from './imported-scorecard.js';
import type { Scorecard } from './types.js';

/** The security block of a security pack, and what its rules need besides the events. */
export interface SecurityInput extends SecurityEvidence {
  readonly rules: Security;
}

/** The results of validators and judges, in spec order. */
export interface Findings {
  readonly validators: readonly ValidatorResult[];
  readonly judges: readonly JudgeResult[];
  readonly security?: SecurityInput | undefined;
}

/** An attempt's scorecard from what is already found out about it. Pure and deterministic. */
export function composeScorecard(
  spec: EvaluationSpec,
  evidence: AttemptEvidence,
  { validators, judges, security }: Findings,
): Scorecard {
  const scores = evidence.imported?.scores;
  if (scores !== undefined) return importedScorecard(spec, evidence, scores);
  const measured: MetricEvidence = {
    events: evidence.events,
    pricing: spec.pricing,
    behavior: behaviorEvidence(evidence.events, validators),
    validators,
    isImported: evidence.imported !== undefined,
    isTraced: isToolTraceKnown(evidence),
  };
  const metrics = collectMetrics(spec.metrics, measured);
  const cost = modelCostUsd(evidence.events, spec.pricing);
  const scorecard = buildScorecard(spec.scorecard, {
    dimensions: scoreDimensions(spec, {
      behavioral: spec.behavioral,
      attempt: evidence.attempt,
      votes: evidence.votes,
      validators,
      metrics,
      judges,
      measured,
    }),
    validators,
    metrics,
    judges,
    cost_usd: typeof cost.value === 'number' ? cost.value : null,
  });
  const served = numberIn(endEvent(evidence.events)?.payload ?? {}, 'served_calls');
  const marked = served === undefined ? scorecard : { ...scorecard, served_calls: served };
  return security === undefined ? marked : withSecurity(marked, evidence, security);
}

function scoreDimensions(spec: EvaluationSpec, inputs: DimensionInputs) {
  const isMissing = !isGraded(inputs.attempt.outcome);
  return spec.scorecard.dimensions.map((dimension) => ({
    dimension,
    score: isMissing
      ? missing('unavailable', 'attempt_not_graded')
      : SOURCES[dimension.source](dimension, inputs),
  }));
}

function withSecurity(
  scorecard: Scorecard,
  attempt: AttemptEvidence,
  { rules, ...more }: SecurityInput,
): Scorecard {
  const security = judgeSecurity(rules, { attempt, ...more });
  if (security === null) return { ...scorecard, security };
  if (!security.passed) return { ...scorecard, passed: false, reason: 'security_incident', security };
  if (more.is_workspace_unsearched !== true) return { ...scorecard, security };
  // A leak is neither proven nor excluded: no verdict either way, and size wins nothing.
  return {
    ...scorecard,
    passed: null,
    reason: 'workspace_not_searched',
    validity: 'invalid',
    security: null,
  };
}
