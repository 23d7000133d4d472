import type { CaseShare, Run } from '@agentclash/contracts';

/** The part of its input set that a run covers, in words; undefined where it covers all cases. */
export function caseSubsetLine({ case_subset }: Pick<Run, 'case_subset'>): string | undefined {
  if (case_subset === undefined) return undefined;
  const { case_keys, of, failed_in_run_id } = case_subset;
  return caseShareLine({ cases: case_keys.length, of, failed_in_run_id });
}

/** The same for a ranking or a side of a comparison. */
export function caseShareLine({ cases, of, failed_in_run_id }: CaseShare): string {
  const part = `${cases} of the ${of} cases of the input set`;
  return failed_in_run_id === null
    ? `${part}: do not compare these scores with runs of other cases`
    : `${part}, those that run ${failed_in_run_id} did not pass: scores of cases chosen by their results do not hold for the others`;
}
