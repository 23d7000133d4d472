import { Listener, Subscribes } from '@agentclash/bus';
import { ContractError, gateEvents, type In } from '@agentclash/contracts';
import { RunChanges } from '../runs/changes/run-changes.service.js';

/** Reasons that a body lists. */
const REASONS_MAX = 20;

/** Has decisions of gates reported, in the order of the other events of the candidate. */
@Listener()
export class GateDecisionsListener {
  constructor(private readonly changes: RunChanges) {}

  @Subscribes(gateEvents.decided)
  async decided(decision: In<typeof gateEvents.decided>): Promise<void> {
    const { comparison_id, candidate_run_id, baseline_run_id, verdict, exit_code, decided_by } = decision;
    const reasons = decision.reasons.slice(0, REASONS_MAX);
    const data = { verdict, exit_code, reasons, baseline_run_id, comparison_id, decided_by };
    try {
      await this.changes.make(candidate_run_id, async (change) => {
        change.notify({ event: 'gate.decided', data, factId: comparison_id });
      });
    } catch (error) {
      // The run was deleted since.
      if (!(error instanceof ContractError) || error.code !== 'not_found') throw error;
    }
  }
}
