import {
  type Baseline,
  type Client,
  type NamedRun,
  type Run,
  routes,
  runArgument,
  runHandle,
} from '@agentclash/api';
import { DEFAULT_BASELINE } from '@agentclash/domain';
import { allPages, PAGE_SIZE } from '../lookup/all-pages.js';
import { type BaselineScope, chosenScope, findBaseline, scopeOf } from '../lookup/baselines.js';
import { findRun, runHandlesOf } from '../lookup/run-handles.js';
import { getRun } from '../lookup/runs.js';
import { isConfirmed } from '../session/confirmed.js';
import type { Session } from '../session/session.js';
import { printTable } from '../terminal/print-table.js';
import { oneLine } from '../terminal/printable.js';
import { shellWord } from '../terminal/shell-word.js';
import { timeColumn } from '../terminal/table.js';

interface NewBaseline {
  run: string;
  name: string;
  agent?: string;
  yes?: boolean;
}

/** Replaces the run of a baseline only when that is confirmed, and no other run than the one that was named. */
export async function setBaseline(session: Session, input: NewBaseline): Promise<undefined> {
  const { run: reference, name, agent } = input;
  const client = await session.client();
  const run = await getRun(client, reference);
  const { id: run_id, case_subset: subset } = run;
  const current = await findBaseline(client, name, scopeOf(run));
  if (current !== undefined && !(await isReplaced(session, input, { client, current, run }))) {
    session.out.result({ ...current, replaced_run_id: null }, () => `The baseline ${oneLine(name)} is kept`);
    return;
  }
  const body = { run_id, ...(agent !== undefined && { agent }), replaces: current?.run_id ?? null };
  const baseline = await client.call(routes.baselines.set, { params: { name }, body });
  const { replaced_run_id: replaced } = baseline;
  const before =
    typeof replaced === 'string' && replaced !== run_id
      ? `, no longer run ${(await runHandlesOf(client, [replaced]))(replaced)}`
      : '';
  session.out.result(baseline, () => `${baselineLine(baseline, run)}${before}`);
  if (subset !== undefined) session.out.warn(subsetWarning(subset));
}

interface Replacement {
  client: Client;
  current: Baseline;
  run: Run;
}

/** True without a prompt for the run that the baseline already refers to. */
async function isReplaced(
  session: Session,
  { name, agent, yes }: NewBaseline,
  { client, current, run }: Replacement,
): Promise<boolean> {
  if (current.run_id === run.id || yes === true) return true;
  const title = baselineTitle(current);
  const handleOf = await runHandlesOf(client, [current.run_id]);
  const [before, after] = [handleOf(current.run_id), runHandle(run)];
  const words = [
    ...['agentclash', 'baseline', 'set', runArgument(run)],
    ...(name === DEFAULT_BASELINE ? [] : ['--name', shellWord(name)]),
    ...(agent === undefined ? [] : ['--agent', shellWord(agent)]),
    '--yes',
  ];
  return await isConfirmed(session, {
    yes,
    warning: oneLine(`The baseline ${title} is run ${before}, and run ${after} would replace it`),
    question: oneLine(`Replace run ${before} by run ${after} as the baseline ${title}?`),
    hint: oneLine(words.join(' ')),
  });
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
    const run = out.modes.json ? undefined : await findRun(client, baseline.run_id);
    out.result(baseline, () => baselineLine(baseline, run));
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
  const shown = out.modes.json ? [] : items;
  const handleOf = await runHandlesOf(
    client,
    shown.map(({ run_id }) => run_id),
  );
  printTable(out, items, {
    columns: [
      { title: 'BASELINE', value: (item) => item.name, style: out.paint.bold, cutTo: 12 },
      { title: 'PACK', value: (item) => item.pack ?? '', cutTo: 12 },
      { title: 'INPUT SET', value: (item) => item.input_set ?? '', cutTo: 10 },
      { title: 'RUN', value: ({ run_id }) => handleOf(run_id) },
      { title: 'AGENT', value: (item) => item.agent_name ?? '', cutTo: 12 },
      timeColumn('SET', (item) => item.updated_at, { leaveOut: 2 }),
      { title: 'BY', value: (item) => item.updated_by, cutTo: 10, leaveOut: 1 },
    ],
    empty: 'No baselines. agentclash baseline set <run>',
  });
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
export function baselineLine(baseline: Baseline, run: NamedRun | undefined): string {
  const { run_id, agent_name } = baseline;
  return oneLine(
    `${baselineTitle(baseline)} is run ${runHandle(run ?? { id: run_id })}${agent_name === null ? '' : ` (${agent_name})`}`,
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
