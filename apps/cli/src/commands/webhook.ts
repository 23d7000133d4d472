import { routes, type Webhook, type WebhookSpec } from '@agentclash/api';
import { WEBHOOK_EVENTS } from '@agentclash/domain';
import { CommandError } from '../command-error.js';
import { allPages, PAGE_SIZE } from '../lookup/all-pages.js';
import { findWebhook } from '../lookup/webhooks.js';
import { isConfirmed } from '../session/confirmed.js';
import type { Session } from '../session/session.js';
import { printTable } from '../terminal/print-table.js';
import { idColumn } from '../terminal/table.js';

interface Described {
  event?: WebhookSpec['events'];
  pack?: string;
  label?: Record<string, string>;
}

/** The secret alone goes to stdout, so that it can be piped to where it belongs. */
export async function createWebhook(
  session: Session,
  { name, url, event, pack, label: labels }: Described & { name: string; url: string },
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const body = { name, url, events: event ?? [...WEBHOOK_EVENTS], pack, labels, enabled: true };
  const created = await client.call(routes.webhooks.create, { body });
  out.result(created, () => created.secret);
  out.note(`Created webhook ${name}. Its signing secret is shown this once.`);
  out.note(`Try it: agentclash webhook test ${name}`);
}

export async function listWebhooks(session: Session): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const items = await allPages((cursor) =>
    client.call(routes.webhooks.list, { query: { limit: PAGE_SIZE, cursor } }),
  );
  for (const { name, disabled_reason: reason } of items) {
    if (reason !== null)
      out.warn(`${name} was disabled: ${reason}. agentclash webhook update ${name} --enable`);
  }
  printTable(out, items, {
    columns: [
      { title: 'WEBHOOK', value: ({ name }) => name, style: out.paint.bold, cutTo: 16 },
      { title: 'STATE', value: ({ enabled }) => (enabled ? 'enabled' : 'disabled') },
      { title: 'EVENTS', value: ({ events }) => events.join(', '), cutTo: 20 },
      { title: 'RUNS', value: runsOf, cutTo: 16, leaveOut: 1 },
      { title: 'ADDRESS', value: ({ url }) => url, cutTo: 24 },
      idColumn('ID', ({ id }) => id),
    ],
    empty: 'No webhooks. agentclash webhook create <name> --url https://…',
  });
}

function runsOf({ pack, labels = {} }: Webhook): string {
  const named = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const parts = [...(pack === undefined ? [] : [pack]), ...named];
  return parts.length === 0 ? 'all runs' : parts.join(', ');
}

interface Update extends Described {
  webhook: string;
  name?: string;
  url?: string;
  allRuns?: boolean;
  enable?: boolean;
  disable?: boolean;
}

export async function updateWebhook(session: Session, input: Update): Promise<undefined> {
  const { webhook: reference, allRuns = false, enable = false, disable = false } = input;
  const client = await session.client();
  const found = await findWebhook(client, reference);
  const change = {
    ...(input.name !== undefined && { name: input.name }),
    ...(input.url !== undefined && { url: input.url }),
    ...(input.event !== undefined && { events: input.event }),
    ...(input.pack !== undefined && { pack: input.pack }),
    ...(input.label !== undefined && { labels: input.label }),
    ...((enable || disable) && { enabled: enable }),
  };
  if (Object.keys(change).length === 0 && !allRuns) {
    throw new CommandError('usage', 'There is nothing to change', {
      hint: 'Give --url, --event, --pack, --label, --all-runs, --name, --enable or --disable.',
    });
  }
  const { pack, labels } = allRuns ? {} : found;
  const { name, url, events, enabled } = found;
  const body = { name, url, events, pack, labels, enabled, ...change };
  const updated = await client.call(routes.webhooks.update, { params: { webhook_id: found.id }, body });
  const how = updated.applied === 'unchanged' ? 'is unchanged' : 'is changed';
  session.out.result(updated, () => `${updated.name} ${how}${updated.enabled ? '' : ', and disabled'}`);
}

export async function deleteWebhook(
  session: Session,
  { webhook: reference, yes }: { webhook: string; yes?: boolean },
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const { id, name } = await findWebhook(client, reference);
  const confirmed = await isConfirmed(session, {
    yes,
    warning: `Deleting the webhook ${name} deletes its secret and the log of its deliveries`,
    question: `Delete the webhook ${name} with its secret and the log of its deliveries?`,
    hint: `agentclash webhook delete ${name} --yes`,
  });
  if (!confirmed) {
    out.result({ id, deleted: false }, () => `${name} is kept`);
    return;
  }
  await client.call(routes.webhooks.remove, { params: { webhook_id: id } });
  out.result({ id, deleted: true }, () => `${name} is deleted`);
}
