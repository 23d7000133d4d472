import { type attempts, ContractError, type In, type RequestedPhase } from '@agentclash/contracts';
import { hasRunEnded } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { caseOf } from '../plans/pack-version.js';
import { VersionsSource } from '../plans/versions.source.js';
import { type AttemptContext, AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { ManualPhasesStore } from '../store/manual-phases.store.js';

/** Requests phases that no conversation enters by itself. */
@Injectable()
export class ManualPhasesService {
  constructor(
    private readonly attempts: AttemptReads,
    private readonly versions: VersionsSource,
    private readonly store: ManualPhasesStore,
  ) {}

  async request(input: In<typeof attempts.requestPhase>): Promise<RequestedPhase> {
    const { workspace_id, attempt_id: attemptId, actor, request } = input;
    const { phase_id: phaseId } = request;
    const context = await this.attempts.findContext(attemptId);
    if (context?.workspaceId !== workspace_id) {
      throw new ContractError('not_found', `There is no attempt ${attemptId}.`);
    }
    const manual = await this.manualPhases(context);
    if (!manual.includes(phaseId)) return unknownPhase(phaseId, manual);
    if (context.state === 'finished' || hasRunEnded(context.runStatus)) {
      throw new ContractError('conflict', 'The attempt is over: it reaches no phase any more.');
    }
    const requested = await this.store.request({ attemptId, phaseId, actor, now: new Date() });
    if (requested) return requested;
    throw new ContractError('conflict', `The conversation has gone past phase "${phaseId}".`);
  }

  private async manualPhases(context: AttemptContext): Promise<string[]> {
    const { manifest } = await this.versions.get(context.workspaceId, context.versionId);
    const { user_simulator: simulator } = caseOf(manifest, context.inputSetKey, context.caseKey);
    return (simulator?.phases ?? []).flatMap(({ id, trigger }) => (trigger === 'manual' ? [id] : []));
  }
}

function unknownPhase(phaseId: string, manual: readonly string[]): never {
  const known = manual.length === 0 ? 'it has none' : `it has: ${manual.join(', ')}`;
  const message = `The case has no manual phase "${phaseId}"; ${known}.`;
  throw new ContractError('invalid_input', message, {
    errors: [{ code: 'unknown_phase', field: 'phase_id', message }],
  });
}
