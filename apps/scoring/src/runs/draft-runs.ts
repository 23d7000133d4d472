import { ContractError, type Run } from '@agentclash/contracts';

/** Runs of drafts are deleted within a day, and drafts may differ under one name: nothing is decided by them. */
export function draftProblem({ id }: Pick<Run, 'id'>): string {
  return `The run ${id} is of a draft: publish the pack, and run that version.`;
}

/** Fails with `conflict` for the run of a draft. */
export function refuseDraft(run: Pick<Run, 'id' | 'draft'>): void {
  if (run.draft !== true) return;
  const message = `${draftProblem(run)} It is compared with no other run.`;
  throw new ContractError('conflict', message, {
    errors: [{ code: 'run_of_draft', field: 'run_id', message }],
  });
}
