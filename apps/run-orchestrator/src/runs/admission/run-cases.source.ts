import { ContractError, type In, type runs } from '@agentclash/contracts';
import { hasRunEnded } from '@agentclash/domain';
import { type ChosenCases, failedCases, namedCases } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { RunsStore } from '../store/runs.store.js';

type Request = Pick<In<typeof runs.create>['request'], 'case_keys' | 'only_failed_of'>;

interface InputSetCases {
  workspaceId: string;
  packSlug: string;
  /** In authored order. */
  all: readonly string[];
}

/** Which cases of an input set a run request means. */
@Injectable()
export class RunCases {
  constructor(
    private readonly runs: RunsStore,
    private readonly attempts: AttemptReads,
  ) {}

  /**
   * Fails with `invalid_input` for cases that the set does not have, or when nothing is left to run; for an earlier run
   * with `not_found`, and with `conflict` while it has not ended.
   */
  async choose(
    { case_keys, only_failed_of }: Request,
    { workspaceId, packSlug, all }: InputSetCases,
  ): Promise<ChosenCases> {
    if (case_keys !== undefined) return namedCases(all, case_keys);
    if (only_failed_of === undefined) return { caseKeys: [...all] };
    return failedCases(all, await this.failedIn(only_failed_of, { workspaceId, packSlug }), only_failed_of);
  }

  private async failedIn(
    id: string,
    { workspaceId, packSlug }: Pick<InputSetCases, 'workspaceId' | 'packSlug'>,
  ): Promise<string[]> {
    const run = await this.runs.findStatusAndPack(workspaceId, id);
    if (run === undefined) throw new ContractError('not_found', `There is no run ${id}.`);
    if (run.packSlug !== packSlug) {
      const message = `is a run of the pack "${run.packSlug}", not of "${packSlug}"`;
      throw new ContractError('invalid_input', 'The earlier run is of another pack.', {
        errors: [{ code: 'contradiction', field: 'only_failed_of', message }],
      });
    }
    if (!hasRunEnded(run.status)) {
      throw new ContractError('conflict', `The run ${id} has not ended: what did not pass is not known yet.`);
    }
    return await this.attempts.casesNotPassed(id);
  }
}
