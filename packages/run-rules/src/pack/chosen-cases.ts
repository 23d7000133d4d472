import { nearestName } from '@agentclash/challengepack';
import { type CaseSubset, ContractError } from '@agentclash/contracts';

/** The cases of a run. */
export interface ChosenCases {
  /** In authored order. */
  caseKeys: string[];
  /** Undefined when these are all cases of the input set. */
  subset?: CaseSubset;
}

/** Unknown keys that an error names. */
const NAMED_MAX = 20;
/** Unknown keys that a suggestion is looked for, and the keys that each is compared with: some 50 µs for each pair. */
const SUGGESTIONS_MAX = 3;
const COMPARED_MAX = 1_000;

/** The named cases of an input set. Fails with `invalid_input` for a name that it does not have. */
export function namedCases(all: readonly string[], named: readonly string[]): ChosenCases {
  const known = new Set(all);
  const unknown = named.flatMap((key, index) => (known.has(key) ? [] : [{ key, index }]));
  if (unknown.length > 0) {
    const compared = all.slice(0, COMPARED_MAX);
    const errors = unknown.slice(0, NAMED_MAX).map(({ key, index }, at) => {
      const near = at < SUGGESTIONS_MAX ? nearestName(key, compared) : undefined;
      const message = `is no case of the input set${near === undefined ? '' : `; did you mean ${near}?`}`;
      return { code: 'unknown_reference', field: `case_keys[${index}]`, message };
    });
    throw new ContractError('invalid_input', 'The input set does not have all of the cases.', { errors });
  }
  return subsetOf(all, new Set(named), null);
}

/** Those cases of an input set that a run did not pass. Fails with `invalid_input` when there is none. */
export function failedCases(all: readonly string[], failed: readonly string[], runId: string): ChosenCases {
  const chosen = subsetOf(all, new Set(failed), runId);
  if (chosen.caseKeys.length > 0) return chosen;
  const message =
    failed.length === 0
      ? `passed every case in the run ${runId}: there is nothing to run`
      : 'is a run whose failed cases the input set does not have';
  throw new ContractError('invalid_input', 'There is no case to run.', {
    errors: [{ code: 'nothing_to_run', field: 'only_failed_of', message }],
  });
}

function subsetOf(all: readonly string[], wanted: ReadonlySet<string>, runId: string | null): ChosenCases {
  const caseKeys = all.filter((key) => wanted.has(key));
  if (caseKeys.length === all.length && runId === null) return { caseKeys };
  return { caseKeys, subset: { case_keys: caseKeys, of: all.length, failed_in_run_id: runId } };
}
