import { randomUUID } from 'node:crypto';
import {
  ApiError,
  type Client,
  caseSubsetLine,
  draftLine,
  type Run,
  type RunAgent,
  type RunRequest,
  routes,
  runArgument,
  runHandle,
  servedRepliesLine,
  stopWhenInWords,
} from '@agentclash/api';
import type { ExitCode, ModelCallMode } from '@agentclash/domain';
import type { z } from 'zod';
import { followRun } from '../../follow/follow-run.js';
import { warningLine } from '../../follow/run-end.js';
import { getRun } from '../../lookup/runs.js';
import type { Session } from '../../session/session.js';
import { plural } from '../../terminal/figures.js';
import { oneLine } from '../../terminal/printable.js';
import { chooseDeployments, chooseInputSet, choosePack } from './choices.js';
import { type EndOptions, stopWhenOf } from './stop-when.js';

interface Input extends EndOptions {
  pack?: string;
  packVersion?: number;
  inputSet?: string;
  deployment?: string[];
  lineup?: string;
  variant?: string[];
  case?: string[];
  onlyFailed?: string;
  repetitions?: number;
  maxConcurrency?: number;
  label?: Record<string, string>;
  name?: string;
  modelCalls?: ModelCallMode;
  replayFrom?: string;
  seed?: number;
  follow?: boolean;
}

export async function startEval(session: Session, given: Input): Promise<ExitCode | undefined> {
  const stop_when = stopWhenOf(given);
  const client = await session.client();
  const earlier = given.onlyFailed === undefined ? undefined : await getRun(client, given.onlyFailed);
  const recorded = given.replayFrom === undefined ? undefined : await getRun(client, given.replayFrom);
  const like = earlier ?? recorded;
  const input = like === undefined ? given : await likeEarlier(client, given, like);
  const version = await choosePack(session, client, { slug: input.pack, number: input.packVersion });
  const inputSet = await chooseInputSet(session, client, {
    versionId: version.id,
    reference: input.inputSet,
  });
  const { started, agents } = await startRun(session, client, {
    input,
    request: {
      challenge_pack_version_id: version.id,
      challenge_input_set_id: inputSet.id,
      variants: input.variant,
      case_keys: input.case ?? (earlier ? undefined : recorded?.case_subset?.case_keys),
      only_failed_of: earlier?.id,
      repetitions: input.repetitions ?? recorded?.repetitions,
      max_concurrency: input.maxConcurrency,
      labels: input.label,
      name: input.name,
      model_calls: input.modelCalls ?? (recorded && 'replay'),
      replay_from: recorded?.id,
      stop_when,
      seed: input.seed,
    },
  });
  return await reportStarted(session, client, { started, agents, follow: input.follow });
}

/** The run that was started: its warnings and its line, or the race live until its end. */
export async function reportStarted(
  session: Session,
  client: Client,
  { started, agents, follow = false }: Started & { follow?: boolean | undefined },
): Promise<ExitCode | undefined> {
  const { out } = session;
  const { pack, input_set } = started;
  for (const warning of started.warnings) out.warn(warningLine(warning));
  const draft = draftLine(started);
  if (draft !== undefined) out.note(oneLine(draft));
  const subset = caseSubsetLine(started);
  if (subset !== undefined) out.note(oneLine(subset));
  const served = servedRepliesLine(started);
  if (served !== undefined) out.note(oneLine(served));
  const end = endLine(started);
  if (end !== undefined) out.note(oneLine(end));
  const summary = `run ${runHandle(started)}  ${pack.slug} v${pack.version_number} / ${input_set.key}  ${plural(
    agents,
    'agent',
  )}, ${plural(started.progress.total, 'attempt')}`;
  if (follow) {
    out.note(oneLine(summary));
    return followRun(session, client, started, started.warnings);
  }
  out.result(started, () => oneLine(summary));
  out.note(out.paint.dim(`agentclash run show ${runArgument(started)} --follow`));
  return undefined;
}

/** When the run ends, and the order of its cases. */
function endLine({ stop_when, seed }: Run): string | undefined {
  const order = seed === undefined ? '' : `cases in the order of seed ${seed}`;
  if (stop_when === undefined) return order === '' ? undefined : order;
  return `ends ${stopWhenInWords(stop_when)}${order === '' ? '' : `; ${order}`}`;
}

/** Anything that is not named is as in the earlier run. */
async function likeEarlier(client: Client, given: Input, { id, pack, input_set }: Run): Promise<Input> {
  const isNamed = (given.deployment?.length ?? 0) > 0 || given.lineup !== undefined;
  const { items } = await client.call(routes.runs.agents, { params: { run_id: id } });
  const isSamePack = given.pack === undefined || given.pack === pack.slug;
  return {
    ...given,
    pack: given.pack ?? pack.slug,
    ...(given.pack === undefined && { packVersion: given.packVersion ?? pack.version_number }),
    ...(isSamePack && { inputSet: given.inputSet ?? input_set.key }),
    ...(!isNamed && deploymentsOf(items, given.variant)),
  };
}

/** The deployments of lanes, and the variants among these. */
function deploymentsOf(
  lanes: readonly RunAgent[],
  chosen: string[] | undefined,
): Pick<Input, 'deployment' | 'variant'> {
  const variants = lanes.flatMap(({ variant }) => variant?.name ?? []);
  return {
    deployment: [...new Set(lanes.map(({ name, variant }) => variant?.deployment ?? name))],
    ...(variants.length > 0 && { variant: chosen ?? [...new Set(variants)] }),
  };
}

type Named = 'deployment_ids' | 'deployment_names' | 'lineup';
type Body = z.input<typeof RunRequest>;

interface Started {
  started: Run;
  /** How many. */
  agents: number;
}

/** Starts what the options name, else the pack's default lineup, else what a person chooses. */
async function startRun(
  session: Session,
  client: Client,
  { input: { deployment = [], lineup }, request }: { input: Input; request: Omit<Body, Named> },
): Promise<Started> {
  const start = (named: Pick<Body, Named>) =>
    client.call(routes.runs.create, { idempotencyKey: randomUUID(), body: { ...request, ...named } });
  if (deployment.length > 0) {
    return await withLanes(session, client, {
      started: await start({ deployment_names: deployment }),
      named: deployment,
    });
  }
  try {
    return await withLanes(session, client, { started: await start({ lineup }), named: [] });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'deployments_required') throw error;
  }
  const chosen = await chooseDeployments(session, client);
  return await withLanes(session, client, {
    started: await start({ deployment_ids: chosen.map(({ id }) => id) }),
    named: chosen.map(({ name }) => name),
  });
}

/** A run with the number of its lanes; shows them where they are others than those named. */
async function withLanes(
  { out }: Session,
  client: Client,
  { started, named }: { started: Run; named: readonly string[] },
): Promise<Started> {
  const { items } = await client.call(routes.runs.agents, { params: { run_id: started.id } });
  const isLineup = named.length === 0;
  if (isLineup || items.some(({ variant }) => variant !== undefined)) {
    out.note(oneLine(`agents: ${items.map(({ name }) => name).join(', ')}`));
  }
  return { started, agents: items.length };
}
