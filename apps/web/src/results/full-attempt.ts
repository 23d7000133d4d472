import type { Attempt, ResponseOutput, routes } from '@agentclash/api';

/** An attempt with its evidence and its case. */
export type FullAttempt = ResponseOutput<typeof routes.attempts.get>;

/** A name that is unique among the attempts of one case. */
export function attemptName({ agent_name, repetition }: Pick<Attempt, 'agent_name' | 'repetition'>): string {
  return repetition > 1 ? `${agent_name} #${repetition}` : agent_name;
}

/** Addresses of the views of an attempt. */
export function attemptAddress(id: string, view: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(view).toString();
  return `/attempts/${id}${query === '' ? '' : `?${query}`}`;
}

/** Address of all attempts of a case, one of whose agents may be marked. */
export function caseAddress(
  runId: string,
  caseKey: string,
  view: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams(view).toString();
  return `/runs/${runId}/cases/${encodeURIComponent(caseKey)}${query === '' ? '' : `?${query}`}`;
}
