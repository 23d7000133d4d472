import { Bus, Handles, type Serves } from '@agentclash/bus';
import {
  type GateDecision,
  type GatePreview,
  type GateRequest,
  gates,
  type In,
  type Out,
  packs,
  type Run,
} from '@agentclash/contracts';
import { auditShortfall, DEFAULT_BASELINE, type GatePolicy } from '@agentclash/domain';
import { decideGate } from '@agentclash/run-scoring';
import { decodeIdCursor, newId, pageOf } from '@agentclash/service-kit';
import { RunComparer } from '../comparisons/run-comparer.js';
import { GateAnnouncements } from './gate-announcements.js';
import { GateDecisionsStore } from './gate-decisions.store.js';
import { GatePolicyResolver } from './gate-policy-resolver.js';

@Handles(gates)
export class GatesService implements Serves<typeof gates> {
  constructor(
    private readonly comparer: RunComparer,
    private readonly policies: GatePolicyResolver,
    private readonly store: GateDecisionsStore,
    private readonly announcements: GateAnnouncements,
    private readonly bus: Bus,
  ) {}

  /** Compares one lane with its baseline and decides by a policy; comparison and decision are kept. */
  async evaluate({ workspace_id, request, actor }: In<typeof gates.evaluate>): Promise<GateDecision> {
    const { comparison: content, ...decision } = await this.decide(workspace_id, request);
    const comparison = { id: newId(), workspaceId: workspace_id, content };
    const stored = await this.store.add(comparison, { ...decision, decided_by: actor });
    this.announcements.wake();
    return stored;
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
    return decideGate(policy, compared, await this.auditShortfallOf(policy, compared.sides.candidate.run));
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
