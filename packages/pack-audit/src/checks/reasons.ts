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
