import { Bus, Handles, type Serves } from '@agentclash/bus';
import {
  ContractError,
  type GateDecision,
  type GatePreview,
  type GateRequest,
  gates,
  type In,
  isServedReplies,
  type Out,
  packs,
  type Run,
  type RunAgent,
} from '@agentclash/contracts';
import { auditShortfall, DEFAULT_BASELINE, type GatePolicy } from '@agentclash/domain';
import {
  evaluateGate,
  type GateSubject,
  gateEvidence,
  gatePolicyFingerprint,
  type RunAgentScorecard,
} from '@agentclash/grading';
import { decodeIdCursor, newId, pageOf } from '@agentclash/service-kit';
import { RunComparer } from '../comparisons/run-comparer.js';
import { GateDecisionsStore } from './gate-decisions.store.js';
import { GatePolicyResolver } from './gate-policy-resolver.js';

@Handles(gates)
export class GatesService implements Serves<typeof gates> {
  constructor(
    private readonly comparer: RunComparer,
    private readonly policies: GatePolicyResolver,
    private readonly store: GateDecisionsStore,
    private readonly bus: Bus,
  ) {}

  /** Compares one lane with its baseline and decides by a policy; comparison and decision are kept. */
  async evaluate({ workspace_id, request, actor }: In<typeof gates.evaluate>): Promise<GateDecision> {
    const { comparison: content, ...decision } = await this.decide(workspace_id, request);
    const comparison = { id: newId(), workspaceId: workspace_id, content };
    return await this.store.add(comparison, { ...decision, decided_by: actor });
  }

  /** The decision that `evaluate` would make. */
  preview({ workspace_id, request }: In<typeof gates.preview>): Promise<GatePreview> {
    return this.decide(workspace_id, request);
  }

  private async decide(workspaceId: string, request: GateRequest): Promise<GatePreview> {
    const policy = await this.policies.resolve(workspaceId, request.policy);
    const compared = await this.comparer.compare(workspaceId, {
      baseline: request.baseline_run_id ?? request.baseline ?? DEFAULT_BASELINE,
      candidate: request.candidate_run_id,
      baseline_agent: request.baseline_agent,
      candidate_agent: request.candidate_agent,
    });
    const { content, sides, lanes, cards } = compared;
    const [comparison] = compared.compared;
    const [race] = compared.races;
    const [lane] = lanes;
    const [card] = cards;
    if (!comparison || !lane || !card) throw new ContractError('internal', 'A gate compares one lane.');
    const subjects = {
      race,
      audit_shortfall: await this.auditShortfallOf(policy, sides.candidate.run),
      baseline: subject(lane.baseline, card.baseline?.scorecard, [sides.baseline.run, sides.candidate.run]),
      candidate: subject(lane.candidate, card.candidate?.scorecard, [
        sides.candidate.run,
        sides.baseline.run,
      ]),
    };
    const evidence = gateEvidence(comparison, subjects);
    const result = evaluateGate(policy, evidence);
    return {
      ...{ verdict: result.verdict, reasons: [...result.reasons], exit_code: result.exit_code },
      ...{ notes: [...result.notes], detectable: result.detectable },
      ...(evidence.race && race && { race }),
      policy,
      policy_fingerprint: gatePolicyFingerprint(policy),
      baseline_run_id: sides.baseline.run.id,
      candidate_run_id: sides.candidate.run.id,
      comparison: content,
    };
  }

  /** The shortfall of the version of the runs, which is the same for both, against the audit that the policy requires. */
  private async auditShortfallOf({ pack_audit: audit }: GatePolicy, run: Run) {
    if (!audit?.required) return undefined;
    const { workspace_id, challenge_pack_version_id: version_id } = run;
    const version = await this.bus.call(packs.getVersion, { workspace_id, version_id });
    return auditShortfall(audit, version.audit ?? undefined, Date.now());
  }

  async list(request: In<typeof gates.list>): Promise<Out<typeof gates.list>> {
    const { workspace_id: workspaceId, candidate_run_id: candidateRunId, limit, cursor } = request;
    const after = decodeIdCursor(cursor);
    const found = await this.store.list({ workspaceId, candidateRunId, after, take: limit + 1 });
    return pageOf(found, limit, { item: (decision) => decision, sortKey: ({ comparison_id: id }) => id });
  }
}

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
