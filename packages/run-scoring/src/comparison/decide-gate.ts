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
import { decisionOn, type GateFindings } from './decision-on-agents.js';

/** A policy as its author wrote it, its defaults filled in; without one the built-in policy. */
export function gatePolicyOf(spec: GatePolicySpec | undefined): GatePolicy {
  return spec === undefined ? BUILT_IN_POLICY : completePolicy(spec);
}

/** The decision of a gate on the pairs of lanes that were compared: of several, the worst one. */
export function decideGate(
  policy: GatePolicy,
  compared: ComparedRuns,
  shortfall: AuditShortfall | undefined,
): GatePreview {
  const { content, sides, lanes } = compared;
  const findings = lanes.map((lane, at) => ({
    agent: lane.candidate?.name ?? lane.baseline?.name ?? '',
    ...findingOf(policy, { compared, at }, shortfall),
  }));
  return {
    ...decisionOn(findings),
    policy,
    policy_fingerprint: gatePolicyFingerprint(policy),
    baseline_run_id: sides.baseline.run.id,
    candidate_run_id: sides.candidate.run.id,
    comparison: content,
  };
}

function findingOf(
  policy: GatePolicy,
  { compared: { content, sides, lanes, cards, compared, races }, at }: { compared: ComparedRuns; at: number },
  shortfall: AuditShortfall | undefined,
): GateFindings {
  const [comparison, race, lane, card] = [compared[at], races[at], lanes[at], cards[at]];
  if (!comparison || !lane || !card) throw new ContractError('internal', 'A gate compares pairs of lanes.');
  const { run: baseline } = sides.baseline;
  const { run: candidate } = sides.candidate;
  const evidence = gateEvidence(comparison, {
    race,
    audit_shortfall: shortfall,
    baseline: subject(lane.baseline, card.baseline?.scorecard, [baseline, candidate]),
    candidate: subject(lane.candidate, card.candidate?.scorecard, [candidate, baseline]),
  });
  const result = evaluateGate(policy, evidence);
  const codes = content.comparisons[at]?.reasons ?? [];
  const obstacles = evidence.comparable ? [] : codes.map((code) => obstacle(code, sides));
  return {
    verdict: result.verdict,
    reasons: [...result.reasons, ...obstacles],
    exit_code: result.exit_code,
    notes: [...result.notes],
    detectable: result.detectable,
    ...(evidence.race && race && { race }),
  };
}

/** Why two lanes cannot be compared; of lanes that were not chosen with the agents to choose from. */
function obstacle(code: string, { baseline, candidate }: ComparedRuns['sides']): string {
  if (code !== 'agent_unresolved') return code;
  const names = ({ agents }: ComparedRun) => agents.map(({ name }) => name).join(', ');
  return `${code}:the baseline has ${names(baseline)}, the candidate ${names(candidate)}`;
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
