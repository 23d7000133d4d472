import { type Baseline, type Client, type Run, routes } from '@agentclash/api';
import { allPages, PAGE_SIZE } from '../lookup/all-pages.js';
import { type BaselineScope, chosenScope } from '../lookup/baselines.js';
import { getRun } from '../lookup/runs.js';
import type { Session } from '../session/session.js';
import { moment } from '../terminal/figures.js';
import { oneLine } from '../terminal/printable.js';
import { idColumn, table } from '../terminal/table.js';

interface NewBaseline {
  run: string;
  name: string;
  agent?: string;
}

export async function setBaseline(
  session: Session,
  { run: reference, name, agent }: NewBaseline,
): Promise<undefined> {
  const client = await session.client();
  const { id: run_id, case_subset: subset } = await getRun(client, reference);
  const body = { run_id, ...(agent !== undefined && { agent }) };
  const baseline = await client.call(routes.baselines.set, { params: { name }, body });
  const { replaced_run_id: replaced } = baseline;
  const before = typeof replaced === 'string' && replaced !== run_id ? `, no longer run ${replaced}` : '';
  session.out.result(baseline, () => `${baselineLine(baseline)}${before}`);
  if (subset !== undefined) session.out.warn(subsetWarning(subset));
}

function subsetWarning({ case_keys, of }: NonNullable<Run['case_subset']>): string {
  return `The baseline covers ${case_keys.length} of the ${of} cases of the input set: a gate finds insufficient evidence for runs of other cases`;
}

interface BaselineQuery {
  name?: string;
  run?: string;
  pack?: string;
  inputSet?: string;
}

/** One baseline, or all of them. */
export async function showBaseline(session: Session, { name, ...choice }: BaselineQuery): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const scope = await chosenScope(client, choice);
  if (name !== undefined) {
    const baseline = await client.call(routes.baselines.get, { params: { name }, query: scope });
    out.result(baseline, () => baselineLine(baseline));
    return;
  }
  await printBaselines(session, client, scope);
}

interface ListQuery {
  name?: string;
  run?: string;
  pack?: string;
  inputSet?: string;
}

export async function listBaselines(session: Session, { name, ...choice }: ListQuery): Promise<undefined> {
  const client = await session.client();
  const scope = await chosenScope(client, choice);
  await printBaselines(session, client, { ...scope, ...(name !== undefined && { name }) });
}

export async function printBaselines(
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
        { title: 'BASELINE', value: (item) => item.name, style: out.paint.bold, cutTo: 12 },
        { title: 'PACK', value: (item) => item.pack ?? '', cutTo: 12 },
        { title: 'INPUT SET', value: (item) => item.input_set ?? '', cutTo: 10 },
        idColumn('RUN', (item) => item.run_id),
        { title: 'AGENT', value: (item) => item.agent_name ?? '', cutTo: 12 },
        { title: 'SET', value: (item) => moment(item.updated_at), leaveOut: 2 },
        { title: 'BY', value: (item) => item.updated_by, cutTo: 10, leaveOut: 1 },
      ],
      { width: out.width, heading: out.paint.dim, empty: 'No baselines. agentclash baseline set <run>' },
    ),
  );
}

interface ClearedBaseline {
  name: string;
  run?: string;
  pack?: string;
  inputSet?: string;
}

export async function clearBaseline(
  session: Session,
  { name, ...choice }: ClearedBaseline,
): Promise<undefined> {
  const client = await session.client();
  const query = await chosenScope(client, choice);
  const { pack, input_set } = await client.call(routes.baselines.get, { params: { name }, query });
  const one = { ...(pack !== undefined && { pack }), ...(input_set !== undefined && { input_set }) };
  await client.call(routes.baselines.remove, { params: { name }, query: one });
  session.out.result({ name, ...one, deleted: true }, () =>
    oneLine(`${baselineTitle({ name, pack, input_set })} is cleared`),
  );
}

/** `default of sums / main is run … (agent)`. */
export function baselineLine(baseline: Baseline): string {
  const { run_id, agent_name } = baseline;
  return oneLine(
    `${baselineTitle(baseline)} is run ${run_id}${agent_name === null ? '' : ` (${agent_name})`}`,
  );
}

/** `default of sums / main`. */
export function baselineTitle({
  name,
  pack,
  input_set,
}: Pick<Baseline, 'name' | 'pack' | 'input_set'>): string {
  return pack === undefined || input_set === undefined ? name : `${name} of ${pack} / ${input_set}`;
}
