import { ApiError, type RunRequest } from '@agentclash/api';

/** Fields of a run request that the form shows a problem beside. */
const SHOWN = [
  'challenge_pack_version_id',
  'challenge_input_set_id',
  'case_keys',
  'only_failed_of',
  'deployment_ids',
  'variants',
  'name',
  'repetitions',
  'max_concurrency',
  'model_calls',
  'replay_from',
  'labels',
] as const satisfies readonly (keyof RunRequest)[];

type ShownField = (typeof SHOWN)[number];
export type RequestProblems = Partial<Record<ShownField, string>>;

/** The problems that the server found, as a text for each field of the form. */
export function requestProblems(error: unknown): RequestProblems {
  const problems: RequestProblems = {};
  if (!(error instanceof ApiError)) return problems;
  for (const { field, message } of error.errors) {
    const shown = shownField(field);
    if (shown === undefined) continue;
    const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`.replace(/[.!?]\.$/, '.');
    problems[shown] = problems[shown] === undefined ? text : `${problems[shown]} ${text}`;
  }
  return problems;
}

/** True when the problem of this field of the request is shown beside a control of the form. */
export function isShownBeside(field: string): boolean {
  return shownField(field) !== undefined;
}

/** `case_keys.0` belongs to `case_keys`. */
function shownField(field: string): ShownField | undefined {
  const [root] = field.split('.');
  return SHOWN.find((known) => known === root);
}
