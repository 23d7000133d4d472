import type { Run } from '@agentclash/contracts';

/**
 * The problems of the pack that keep attempts of a run from being graded, one sentence per validator, without a full
 * stop; the most frequent first.
 */
export function packErrorLines({
  pack_errors: errors = [],
  failure,
  progress: { total, finished, by_outcome },
}: Pick<Run, 'pack_errors' | 'failure' | 'progress'>): string[] {
  const isStopped = failure?.code === 'pack_errors' && (by_outcome.cancelled ?? 0) > 0 && finished > 0;
  return errors.map(({ attempts, message, case_key }) => {
    const what = `${attempts} of ${total} attempts could not be graded${isStopped ? ', and the run was stopped' : ''}`;
    return `${what}: ${message} (case ${case_key})`;
  });
}
