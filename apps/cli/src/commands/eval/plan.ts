import {
  ApiError,
  type Client,
  discordanceInWords,
  type EvalPlan,
  type EvalPlanRequest,
  plannedRaces,
  type ResponseOutput,
  routes,
} from '@agentclash/api';
import type { z } from 'zod';
import { runHandlesOf } from '../../lookup/run-handles.js';
import type { Session } from '../../session/session.js';
import { dollars, duration, plural } from '../../terminal/figures.js';
import type { Look } from '../../terminal/output.js';
import { printTable } from '../../terminal/print-table.js';
import { type Column, facts, layout, table } from '../../terminal/table.js';
import { chooseDeployments, chooseInputSet, choosePack } from './choices.js';
import { type DecidedOptions, decidedOf } from './stop-when.js';

interface Input extends DecidedOptions {
  pack?: string;
  packVersion?: number;
  inputSet?: string;
  deployments?: string[];
  lineup?: string;
  variant?: string[];
  case?: string[];
  repetitions?: number;
  maxConcurrency?: number;
  difference?: number;
  discordance?: number;
  seed?: number;
}

type Body = z.input<typeof EvalPlanRequest>;

/** The cases, cost and time of a race that is not started. */
export async function planEval(session: Session, input: Input): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const version = await choosePack(session, client, { slug: input.pack, number: input.packVersion });
  const { id: versionId } = version;
  const inputSet = await chooseInputSet(session, client, { versionId, reference: input.inputSet });
  const plan = await planOf(session, client, input, {
    challenge_pack_version_id: versionId,
    challenge_input_set_id: inputSet.id,
    variants: input.variant,
    case_keys: input.case,
    repetitions: input.repetitions,
    max_concurrency: input.maxConcurrency,
    decided: decidedOf(input),
    difference: input.difference,
    discordance: input.discordance,
    seed: input.seed,
  });
  const shown = out.modes.json ? [] : plan.lanes;
  const handleOf = await runHandlesOf(
    client,
    shown.flatMap(({ run_id }) => run_id ?? []),
  );
  printTable(out, plannedRaces(plan), {
    document: plan,
    columns: RACES,
    text: (races) => planText(plan, { races: races(), handleOf, look: out }),
  });
}

/** Of the named deployments, else of the pack's default lineup, else of those that a person chooses. */
async function planOf(
  session: Session,
  client: Client,
  { deployments = [], lineup }: Input,
  request: Body,
): Promise<ResponseOutput<typeof routes.evalPlans.make>> {
  const plan = (named: Partial<Body>) =>
    client.call(routes.evalPlans.make, { body: { ...request, ...named } });
  if (deployments.length > 0) return await plan({ deployment_names: deployments });
  try {
    return await plan({ lineup });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'deployments_required') throw error;
  }
  const chosen = await chooseDeployments(session, client);
  return await plan({ deployment_ids: chosen.map(({ id }) => id) });
}

interface PlanView {
  /** The table of the races. */
  races: string;
  /** `#42` for the id of a run. */
  handleOf: (id: string) => string;
  look: Look;
}

function planText(plan: EvalPlan, { races, handleOf, look }: PlanView): string {
  const { pack, input_set, all, lanes, repetitions, goal, metric, alpha, pairs, pair_alpha } = plan;
  const { paint, width } = look;
  const heads: [string, string | undefined][] = [
    ['pack', `${pack.slug} v${pack.version_number} / ${input_set.key}`],
    [
      'race',
      `${plural(all.cases, 'case')}, ${plural(lanes.length, 'agent')}, ${plural(repetitions, 'repetition')}`,
    ],
    ['goal', `${goal} by ${metric}, ${plural(pairs, 'pair')}`],
    ['alpha', pairs === 1 ? String(alpha) : `${alpha}, ${pair_alpha.toPrecision(2)} for each pair`],
    ['margin', plan.margin === 0 ? undefined : String(plan.margin)],
    ['difference', String(plan.difference)],
    ['discordance', discordanceInWords(plan.discordance)],
    [
      'at once',
      plan.concurrency === null ? 'unknown' : plural(Math.max(1, Math.round(plan.concurrency)), 'attempt'),
    ],
  ];
  const notes = plan.warnings.map(({ message }) => ['note', message] as const);
  return [
    facts(heads, paint.dim, width),
    '',
    races,
    '',
    lanesTable(plan, { handleOf, look }),
    ...(notes.length > 0 ? ['', facts(notes, paint.yellow, width)] : []),
  ].join('\n');
}

const RACES: readonly Column<ReturnType<typeof plannedRaces>[number]>[] = [
  { title: 'RACE', value: ({ name }) => name },
  { title: 'CASES', value: ({ cases }) => String(cases), align: 'right' },
  { title: 'ATTEMPTS', value: ({ attempts }) => String(attempts), align: 'right' },
  {
    title: 'COST',
    value: ({ cost_usd: cost }) => known(cost, dollars),
    key: 'cost_usd',
    data: ({ cost_usd: cost }) => cost,
    align: 'right',
  },
  {
    title: 'TIME',
    value: ({ duration_ms: time }) => known(time, duration),
    key: 'duration_ms',
    data: ({ duration_ms: time }) => time,
    align: 'right',
  },
];

function lanesTable({ lanes }: EvalPlan, { handleOf, look }: Omit<PlanView, 'races'>): string {
  return table(
    lanes,
    [
      { title: 'AGENT', value: ({ name }) => name, cutTo: 12 },
      { title: 'COST/ATTEMPT', value: ({ cost_usd: cost }) => known(cost, dollars), align: 'right' },
      { title: 'TIME/ATTEMPT', value: ({ duration_ms: time }) => known(time, duration), align: 'right' },
      { title: 'MEAN OF', value: ({ attempts }) => plural(attempts, 'attempt'), align: 'right' },
      { title: 'OF RUN', value: ({ run_id: id }) => (id === null ? '-' : handleOf(id)) },
    ],
    layout(look),
  );
}

function known(value: number | null, text: (value: number) => string): string {
  return value === null ? 'unknown' : text(value);
}
