import {
  ContractError,
  type GatePreview,
  isServedReplies,
  type Run,
  type RunAgent,
  type ScorecardReply,
} from '@agentclash/contracts';
import type { AuditShortfall, GatePolicy, GatePolicySpec } from '@agentclash/domain';
import {
  BUILT_IN_POLICY,
  completePolicy,
  evaluateGate,
  evaluateMinimums,
  type GateSubject,
  gateEvidence,
  gatePolicyFingerprint,
  type Minimums,
  type MinimumsResult,
  type RunAgentScorecard,
} from '@agentclash/grading';
import type { ComparedRuns } from './compare-runs.js';
import { type ComparedRun, isStoppedEarly } from './compared-run.js';

/** A policy as its author wrote it, its defaults filled in; without one the built-in policy. */
export function gatePolicyOf(spec: GatePolicySpec | undefined): GatePolicy {
  return spec === undefined ? BUILT_IN_POLICY : completePolicy(spec);
}

/** The decision of a gate on the one pair of lanes that was compared. */
export function decideGate(
  policy: GatePolicy,
  compared: ComparedRuns,
  shortfall: AuditShortfall | undefined,
): GatePreview {
  const { content, sides, lanes, cards } = compared;
  const [comparison] = compared.compared;
  const [race] = compared.races;
  const [lane] = lanes;
  const [card] = cards;
  if (!comparison || !lane || !card) throw new ContractError('internal', 'A gate compares one lane.');
  const { run: baseline } = sides.baseline;
  const { run: candidate } = sides.candidate;
  const evidence = gateEvidence(comparison, {
    race,
    audit_shortfall: shortfall,
    baseline: subject(lane.baseline, card.baseline?.scorecard, [baseline, candidate]),
    candidate: subject(lane.candidate, card.candidate?.scorecard, [candidate, baseline]),
  });
  const result = evaluateGate(policy, evidence);
  return {
    ...{ verdict: result.verdict, reasons: [...result.reasons], exit_code: result.exit_code },
    ...{ notes: [...result.notes], detectable: result.detectable },
    ...(evidence.race && race && { race }),
    policy,
    policy_fingerprint: gatePolicyFingerprint(policy),
    baseline_run_id: baseline.id,
    candidate_run_id: candidate.id,
    comparison: content,
  };
}

/** The decision of a gate without a baseline on one lane of a run. */
export function decideByMinimums(
  minimums: Minimums,
  { run, agent }: { run: ComparedRun['run']; agent: RunAgent },
  scorecard: ScorecardReply['scorecard'],
): MinimumsResult {
  // Stored as the library returned it.
  const card = scorecard as RunAgentScorecard | null;
  return evaluateMinimums(minimums, subject(agent, card, [run, run]), isStoppedEarly(run, agent));
}

/** The facts of one side; `other` is the run that its cases are to be the same as. */
function subject(
  agent: RunAgent | undefined,
  scorecard: RunAgentScorecard | null | undefined,
  [own, other]: readonly [own: Run, other: Run],
): GateSubject {
  return {
    scorecard: scorecard ?? null,
    completed_attempts: agent?.progress.by_outcome.completed ?? 0,
    selective_retry: own.selective_retry ?? false,
    lacks_cases: lacksCasesOf(own, other),
    recorded_model_calls: isServedReplies(own),
    ...(own.imported && { imported: true }),
  };
}

/** True when a run was not of all cases that another run of the same input set was of. */
function lacksCasesOf(own: Run, other: Run): boolean {
  if (own.case_subset === undefined) return false;
  if (other.case_subset === undefined) return true;
  const known = new Set(own.case_subset.case_keys);
  return other.case_subset.case_keys.some((key) => !known.has(key));
}
