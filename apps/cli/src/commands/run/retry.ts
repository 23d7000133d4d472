import { type RetryRequest, routes } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import { isId } from '../../lookup/not-found.js';
import { getRun } from '../../lookup/runs.js';
import type { Session } from '../../session.js';
import { plural } from '../../terminal/figures.js';

const KINDS = ['infra', 'failed'] as const;

export async function run(
  session: Session,
  { run: reference, only }: { run: string; only: string[] },
): Promise<undefined> {
  const { out } = session;
  const body = { only: chosen(only) };
  const client = await session.client();
  const { id } = await getRun(client, reference);
  const retried = await client.call(routes.runs.retry, { params: { run_id: id }, body });
  out.result(retried, () => `${id}: ${plural(retried.retried, 'attempt')} run again`);
  if (body.only !== 'infra') {
    out.warn('Attempts are run again because of their result: gates no longer decide by this run');
  }
  out.note(out.paint.dim(`Watch it: agentclash run show ${id} --follow`));
}

/** One kind, or the ids of attempts. */
function chosen(only: readonly string[]): RetryRequest['only'] {
  const [first, ...others] = only;
  const kind = KINDS.find((each) => each === first);
  if (kind !== undefined && others.length === 0) return kind;
  const wrong = only.find((each) => !isId(each));
  if (wrong === undefined) return [...only];
  throw new CommandError(
    'usage',
    `--only takes infra, failed, or the ids of attempts; "${wrong}" is neither`,
    {
      hint: 'agentclash run attempts <run> shows the ids.',
    },
  );
}
