import type { TrialResult } from '../trials/trial.js';

const LENGTH_MAX = 600;

/** Why a trial did not pass, in the words of its graders: `validator: reason`, expected and actual values. */
export function whyNotPassed({ scorecard, error, outcome }: TrialResult): string {
  if (error) return cut(`${error.code}: ${error.message}`);
  if (!scorecard) return outcome;
  const failing = scorecard.validators.filter(
    ({ verdict, state }) => state !== 'scored' || verdict === 'fail',
  );
  const lines = failing.map(({ key, reason, detail, compared }) => {
    const values = compared ? ` (${JSON.stringify(compared)})` : '';
    return `${key}: ${detail ?? reason ?? 'failed'}${values}`;
  });
  const dimensions = scorecard.dimensions
    .filter(({ state }) => state !== 'available')
    .map(({ key, reason }) => `${key}: ${reason ?? 'unavailable'}`);
  return cut([...lines, ...dimensions].join('; ') || scorecard.reason);
}

/** The causes that an author can remove; `sandbox_*` and others are the operator's. */
const FIXES: Readonly<Record<string, string>> = {
  cpu_starved:
    'Run the audit again while the machine has less to do. Where the same case ends so again, its solution or its tests most likely never end: run their command by hand, and lower `timeout_ms` of the validators named.',
  verify_timeout:
    'Make the tests shorter, or lower `timeout_ms`: all graders of one attempt have 10 minutes together.',
  solution_unusable:
    'Correct `solution` of the case or its challenge: the detail names what is wrong with it.',
  planning_limit: 'Make the instructions, the case or its solution shorter.',
  prepare_timeout:
    'Give the case fewer or smaller files and images, or look at what slows the machine down, and run the audit again.',
};

/** The next step after a trial that was not graded. */
export function fixOfCause({ error }: TrialResult): string {
  return (
    FIXES[error?.code ?? ''] ??
    'Remove the cause that the detail names and run the audit again; `agentclash doctor` shows what sandboxes of this machine lack.'
  );
}

/** The validators that did not give full points. */
export function failingValidators({ scorecard }: TrialResult): string[] {
  const failing = scorecard?.validators.filter(
    ({ state, verdict }) => state !== 'scored' || verdict === 'fail',
  );
  return failing?.map(({ key }) => key) ?? [];
}

function cut(text: string): string {
  return text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}…` : text;
}
