import { routes } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import { getRun } from '../../lookup/runs.js';
import type { Session } from '../../session.js';
import { confirm } from '../../terminal/prompt.js';

export async function run(
  session: Session,
  { run: reference, yes }: { run: string; yes?: boolean },
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const { id, name } = await getRun(client, reference);
  const named = name === null ? id : `${id} (${name})`;
  if (yes !== true) {
    if (!session.canPrompt) {
      throw new CommandError('usage', `Deleting the run ${named} cannot be undone`, {
        hint: `agentclash run delete ${id} --yes`,
      });
    }
    if (!(await confirm(out, `Delete the run ${named} with its evidence and scorecards?`))) {
      out.result({ id, deleted: false }, () => `${id} is kept`);
      return;
    }
  }
  await client.call(routes.runs.remove, { params: { run_id: id } });
  out.result({ id, deleted: true }, () => `${id} is deleted`);
}
