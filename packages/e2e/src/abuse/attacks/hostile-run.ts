import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, routes } from '@agentclash/api';
import { hasRunEnded } from '@agentclash/domain';
import { attemptsOf, eventsOf } from '../../chaos/record.js';
import { type AttackSite, count, type Outcomes, type RunningAttack } from './attack.js';

export interface HostileRun {
  slug: string;
  cases: number;
  /** Configurations of scripted agents. */
  agents: readonly { name: string; config: object }[];
  /** Members of the pack's version beside its mode. */
  version?: object;
  customTools?: readonly object[];
}

const WATCH_EVERY_MS = 200;
/** A run that is not finished by then is cancelled. */
const END_MS_MAX = 20_000;
const CANCELLED_MS_MAX = 60_000;

/** A run of an attacker, once some of its attempts are at work. */
export async function startHostileRun(
  { client }: Pick<AttackSite, 'client'>,
  plan: HostileRun,
): Promise<RunningAttack> {
  // An attack may be started again on the same stack.
  const run = { ...plan, slug: `${plan.slug}-${randomBytes(4).toString('hex')}` };
  const version = await client.call(routes.packs.publish, { body: JSON.stringify(packOf(run)) });
  const deployments = await Promise.all(
    run.agents.map(({ name, config }) =>
      client.call(routes.deployments.create, {
        body: { name: `${run.slug}-${name}`, kind: 'scripted', config } as never,
      }),
    ),
  );
  const { id } = await client.call(routes.runs.create, {
    body: {
      challenge_pack_version_id: version.challenge_pack_version_id,
      deployment_ids: deployments.map((each) => each.id),
    },
  });
  await settled(client, id, { timeoutMs: END_MS_MAX, isReached: ({ progress }) => progress.running > 0 });
  return { end: () => ended(client, id) };
}

type Progress = Awaited<ReturnType<typeof runOf>>;

async function runOf(client: Client, id: string) {
  const { status, progress } = await client.call(routes.runs.get, { params: { run_id: id } });
  // Attempts of a cancelled run may still be ending.
  return { status, isOver: hasRunEnded(status) && progress.finished === progress.total, progress };
}

async function settled(
  client: Client,
  id: string,
  { timeoutMs, isReached }: { timeoutMs: number; isReached: (run: Progress) => boolean },
): Promise<Progress> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const run = await runOf(client, id);
    if (run.isOver || isReached(run) || Date.now() > deadline) return run;
    await delay(WATCH_EVERY_MS);
  }
}

async function ended(client: Client, id: string): Promise<Outcomes> {
  const until = { isReached: () => false };
  let run = await settled(client, id, { timeoutMs: END_MS_MAX, ...until });
  if (!run.isOver) {
    await client.call(routes.runs.cancel, { params: { run_id: id } });
    run = await settled(client, id, { timeoutMs: CANCELLED_MS_MAX, ...until });
  }
  const outcomes: Outcomes = {};
  count(outcomes, `run ${run.status}`);
  for (const { outcome, error } of await attemptsOf(client, id)) {
    count(outcomes, `attempt ${[outcome ?? 'open', error?.code].filter(Boolean).join(' ')}`);
  }
  for (const { event_type, payload } of await eventsOf(client, id)) {
    if (event_type === 'tool.call.failed') count(outcomes, `call ${codeOf(payload)}`);
  }
  return outcomes;
}

function codeOf(payload: unknown): string {
  const { error } = payload as { error?: { code?: string } };
  return error?.code ?? 'failed';
}

function packOf({ slug, cases, version, customTools }: HostileRun): object {
  return {
    pack: { slug, name: slug, family: 'abuse' },
    version: {
      number: 1,
      execution_mode: 'native',
      ...version,
      evaluation_spec: {
        name: slug,
        version_number: 1,
        judge_mode: 'deterministic',
        validators: [
          { key: 'done', type: 'contains', target: 'final_output', expected_from: 'literal:done' },
        ],
        scorecard: {
          strategy: 'binary',
          dimensions: [{ key: 'correctness', validators: ['done'], pass_threshold: 1 }],
        },
      },
    },
    ...(customTools !== undefined && { tools: { custom: customTools } }),
    challenges: [
      { key: 'task', title: 'Task', category: 'abuse', difficulty: 'easy', instructions: 'Do it.' },
    ],
    input_sets: [
      {
        key: 'default',
        name: 'Cases',
        cases: Array.from({ length: cases }, (_, at) => ({ challenge_key: 'task', case_key: `case-${at}` })),
      },
    ],
  };
}
