import type { CaseShare, LaneComparison, MissingAttempts, Run } from '@agentclash/contracts';

/** The part of its input set that a run covers, in words; undefined where it covers all cases. */
export function caseSubsetLine({ case_subset }: Pick<Run, 'case_subset'>): string | undefined {
  if (case_subset === undefined) return undefined;
  const { case_keys, omitted = 0, of, failed_in_run_id } = case_subset;
  return caseShareLine({ cases: case_keys.length + omitted, of, failed_in_run_id });
}

/** The same for a ranking or a side of a comparison. */
export function caseShareLine({ cases, of, failed_in_run_id }: CaseShare): string {
  const part = `${cases} of the ${of} cases of the input set`;
  return failed_in_run_id === null
    ? `${part}: do not compare these scores with runs of other cases`
    : `${part}, those that run ${failed_in_run_id} did not pass: scores of cases chosen by their results do not hold for the others`;
}

/** How a run, or its ranking, got its attempts or the replies of models, in words; undefined where it ran and called them. */
export function servedRepliesLine({ model_calls, replay_from, imported }: ServedRun): string | undefined {
  if (imported) return 'its attempts were run elsewhere and imported: nothing about them was observed here';
  if (model_calls === 'replay') {
    const source = replay_from === undefined ? 'an earlier run' : `run ${replay_from}`;
    return `replies of models are those recorded in ${source}: these scores are no new evidence about the models`;
  }
  if (model_calls !== 'cache') return undefined;
  return 'replies of models may be those cached from earlier runs: these scores are no new evidence about the models';
}

type ServedRun = Pick<Run, 'model_calls' | 'replay_from'> & { imported?: Run['imported'] | boolean };

/** The consequence for the run of a draft, in words; undefined for other runs. */
export function draftLine({ draft, pack }: Pick<Run, 'draft' | 'pack'>): string | undefined {
  if (draft !== true) return undefined;
  return `a draft of ${pack.slug} ran: the run is in no list, is compared with no other, and is deleted a day after its end`;
}

/** Reasons and cases named in a line. */
const NAMED_MAX = 3;

/** The attempts without a usable scorecard on each side of a comparison, with the reasons: one line per side. */
export function missingAttemptsLines({ missing }: Pick<LaneComparison, 'missing'>): string[] {
  return (['baseline', 'candidate'] as const).flatMap((side) => {
    const found = missing?.[side];
    return found === undefined ? [] : [`${side}: ${sentence(found)}`];
  });
}

function sentence({ planned, attempts, reasons, cases }: MissingAttempts): string {
  const what = `${attempts} of ${planned} attempts have no usable scorecard`;
  const named = reasons.slice(0, NAMED_MAX).map(({ reason, attempts: count }) => {
    const keys = cases.filter((each) => each.reason === reason).map(({ case_key }) => case_key);
    return `${count} ${reason.replaceAll('_', ' ')}${keys.length === 0 ? '' : ` (${casesNamed(keys)})`}`;
  });
  if (named.length === 0) return what;
  const more = reasons.length - named.length;
  return `${what}: ${named.join(', ')}${more > 0 ? ` and ${more} more reasons` : ''}`;
}

function casesNamed(keys: readonly string[]): string {
  const more = keys.length - NAMED_MAX;
  const named = keys.slice(0, NAMED_MAX).join(', ');
  return `${keys.length === 1 ? 'case' : 'cases'} ${named}${more > 0 ? ' and others' : ''}`;
}

const FORGIVEN = 1e-9;

/** Why an agent cannot pass and ranks low, by the figures of its ranking entry, which an older ranking lacks. */
export function missingShareInWords(
  entry: Readonly<Record<string, unknown>>,
  { hasPackErrors = false }: { hasPackErrors?: boolean } = {},
): string | undefined {
  const { missing_share, max_missing_share } = entry;
  if (typeof missing_share !== 'number' || typeof max_missing_share !== 'number') return undefined;
  if (missing_share <= max_missing_share + FORGIVEN) return undefined;
  const [missing, allowed] = [percent(missing_share), percent(max_missing_share)];
  if (hasPackErrors)
    return `${missing} of its attempts have no usable score, ${allowed} may be without: pack errors count among them; it cannot pass until they are fixed`;
  return `${missing} of its attempts are missing, ${allowed} may be: it cannot pass, and ranks below agents with enough attempts`;
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}

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
