import { type Client, routes } from '@agentclash/api';
import { allPages, PAGE_SIZE } from '../../lookup/all-pages.js';
import { type BaselineScope, chosenScope } from '../../lookup/baselines.js';
import type { Session } from '../../session.js';
import { moment } from '../../terminal/figures.js';
import { table } from '../../terminal/table.js';

interface Input {
  name?: string;
  run?: string;
  pack?: string;
  inputSet?: string;
}

export async function run(session: Session, { name, ...choice }: Input): Promise<undefined> {
  const client = await session.client();
  const scope = await chosenScope(client, choice);
  await listBaselines(session, client, { ...scope, ...(name !== undefined && { name }) });
}

export async function listBaselines(
  { out }: Session,
  client: Client,
  filter: BaselineScope & { name?: string },
): Promise<void> {
  const items = await allPages((cursor) =>
    client.call(routes.baselines.list, { query: { ...filter, limit: PAGE_SIZE, cursor } }),
  );
  out.result({ items }, () =>
    table(
      items,
      [
        { title: 'BASELINE', value: (item) => item.name, style: out.paint.bold },
        { title: 'PACK', value: (item) => item.pack ?? '' },
        { title: 'INPUT SET', value: (item) => item.input_set ?? '' },
        { title: 'RUN', value: (item) => item.run_id },
        { title: 'AGENT', value: (item) => item.agent_name ?? '' },
        { title: 'SET', value: (item) => moment(item.updated_at) },
        { title: 'BY', value: (item) => item.updated_by },
      ],
      { heading: out.paint.dim, empty: 'No baselines. agentclash baseline set <run>' },
    ),
  );
}
