import { type Client, type RunShare, routes, runArgument, runHandle } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import { matchIdPart, notFound } from '../../lookup/id-part.js';
import { getRun } from '../../lookup/runs.js';
import type { Session } from '../../session/session.js';
import { moment } from '../../terminal/figures.js';
import { printTable } from '../../terminal/print-table.js';
import { idColumn, timeColumn } from '../../terminal/table.js';
import { webAddress } from '../stack/web-address.js';
import { expiryOf } from '../token.js';

interface Input {
  run: string;
  expires?: string;
  list?: boolean;
  revoke?: string;
}

/** Creates a link that shows the results of a run, lists such links, or revokes one. */
export async function shareRun(session: Session, input: Input): Promise<undefined> {
  const client = await session.client();
  const run = await getRun(client, input.run);
  const params = { run_id: run.id };
  if (input.list) return await listShares(session, client, run.id);
  if (input.revoke !== undefined) {
    const { items } = await client.call(routes.shares.list, { params });
    const found = items.find(({ id }) => id === input.revoke) ?? matchIdPart(items, input.revoke, 'link');
    if (found === undefined)
      throw await notFound(
        'link',
        input.revoke,
        items.map(({ id }) => id),
      );
    await client.call(routes.shares.revoke, { params: { ...params, share_id: found.id } });
    session.out.result({ id: found.id, revoked: true }, () => `The link ${found.id} is revoked`);
    return;
  }
  const { apiUrl } = await session.settings();
  if (apiUrl === undefined) throw new CommandError('unavailable', 'No server is configured');
  const expires_at = input.expires === undefined ? undefined : expiryOf(input.expires, Date.now());
  const created = await client.call(routes.shares.create, { params, body: { expires_at } });
  const url = new URL(created.path, await webAddress(apiUrl)).href;
  session.out.result({ ...created, url }, () => url);
  session.out.note(
    `Shows run ${runHandle(run)} read-only, without a sign-in, until ${moment(created.expires_at)}. It is shown this once.`,
  );
  session.out.note(`Revoke it: agentclash run share ${runArgument(run)} --revoke ${created.id}`);
}

async function listShares(session: Session, client: Client, run_id: string): Promise<undefined> {
  const { out } = session;
  const { items } = await client.call(routes.shares.list, { params: { run_id } });
  printTable<RunShare>(out, items, {
    columns: [
      timeColumn('CREATED', ({ created_at: at }) => at),
      { title: 'BY', value: ({ created_by: by }) => by, cutTo: 10 },
      timeColumn('EXPIRES', ({ expires_at: at }) => at),
      timeColumn('LAST OPENED', ({ last_used_at: at }) => at, { leaveOut: 1 }),
      idColumn('ID', ({ id }) => id),
    ],
    empty: 'The run has no links.',
  });
}
