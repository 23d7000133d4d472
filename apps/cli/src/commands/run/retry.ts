import { type Client, type RetryRequest, routes, runArgument, runHandle } from '@agentclash/api';
import { RETRY_CHOICES, type RetryChoice } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import { isId, isIdPart } from '../../lookup/id-part.js';
import { getAttempt, getRun } from '../../lookup/runs.js';
import type { Session } from '../../session/session.js';
import { plural } from '../../terminal/figures.js';

export async function retryRun(
  session: Session,
  input: { run: string | undefined; only: string[] },
): Promise<undefined> {
  const { out } = session;
  const { run: reference, only } = retryTarget(input);
  const what = chosen(only);
  const client = await session.client();
  const body = { only: typeof what === 'string' ? what : await attemptIds(client, what) };
  const run = await getRun(client, reference);
  const retried = await client.call(routes.runs.retry, { params: { run_id: run.id }, body });
  out.result(retried, () => `Run ${runHandle(run)}: ${plural(retried.retried, 'attempt')} retried`);
  if (body.only !== 'infra') {
    out.warn('Attempts are run again because of their result: gates no longer decide by this run');
  }
  const next =
    retried.status === 'paused'
      ? `The run is paused, nothing starts before: agentclash run resume ${runArgument(run)}`
      : `Watch it: agentclash run show ${runArgument(run)} --follow`;
  out.note(out.paint.dim(next));
}

/** An option that takes several values takes the run too, where that comes after them. */
function retryTarget({ run: named, only }: { run: string | undefined; only: string[] }) {
  if (named !== undefined) return { run: named, only };
  const last = only.at(-1);
  if (last === undefined || only.length === 1 || isKind(last)) {
    throw new CommandError('usage', "missing required argument 'run'");
  }
  return { run: last, only: only.slice(0, -1) };
}

function attemptIds(client: Client, parts: readonly string[]): Promise<string[]> {
  return Promise.all(parts.map(async (part) => (isId(part) ? part : (await getAttempt(client, part)).id)));
}

/** One kind, or the ids of attempts. */
function chosen(only: readonly string[]): RetryRequest['only'] {
  const [first] = only;
  if (only.length === 1 && isKind(first)) return first;
  const wrong = only.find((each) => !isIdPart(each));
  if (wrong === undefined) return [...only];
  const reason = isKind(wrong)
    ? '--only takes one kind or the ids of attempts, not several kinds nor both'
    : `--only takes infra, failed, or the ids of attempts; "${wrong}" is neither`;
  throw new CommandError('usage', reason, { hint: 'agentclash run attempts <run> shows the ids.' });
}

function isKind(word: string | undefined): word is RetryChoice {
  return RETRY_CHOICES.some((kind) => kind === word);
}
