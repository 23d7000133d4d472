import { ContractError, type Run, type RunAgent } from '@agentclash/contracts';

/** A run with its agents, as a side of a comparison. */
export interface ComparedRun {
  run: Run;
  agents: readonly RunAgent[];
}

/** True when a lane, or its run, ended before its last case: because of a verdict, or of a budget. */
export function isStoppedEarly(
  { stopped, stop_when }: Pick<Run, 'stopped' | 'stop_when'>,
  { progress: { skipped = 0, by_outcome } }: Pick<RunAgent, 'progress'>,
): boolean {
  const isHalted = stop_when !== undefined && skipped + (by_outcome.cancelled ?? 0) > 0;
  return stopped !== undefined || isHalted;
}

/** A run agent by id or name. Fails with `not_found`, naming those that there are. */
export function namedAgent({ run, agents }: ComparedRun, reference: string): RunAgent {
  const found = agents.find(({ id }) => id === reference) ?? agents.find(({ name }) => name === reference);
  if (found !== undefined) return found;
  const names = agents.map(({ name }) => name);
  throw new ContractError(
    'not_found',
    `The run ${run.id} has no agent "${reference}". Its agents: ${names.join(', ')}.`,
    { agents: names },
  );
}
