import { ApiError } from '@agentclash/api';

/** Fields of a run request that the form shows a problem beside; a member follows the object that it is of. */
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
  'stop_when',
  'stop_when.decided.goal',
  'stop_when.decided.metric',
  'stop_when.decided.alpha',
  'stop_when.decided.margin',
  'stop_when.decided.baseline',
  'stop_when.budget.usd',
  'stop_when.budget.tokens',
  'stop_when.budget.attempts',
  'seed',
] as const;

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

/** `case_keys.0` and `case_keys[0]` belong to `case_keys`, `stop_when.decided` to `stop_when`. */
function shownField(field: string): ShownField | undefined {
  return SHOWN.findLast(
    (known) => field === known || field.startsWith(`${known}.`) || field.startsWith(`${known}[`),
  );
}
