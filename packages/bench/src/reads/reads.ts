import { type Client, routes } from '@agentclash/api';
import pg from 'pg';
import { cpuOf } from '../attempts/race.js';
import { ASSERTIONS, PROMPT_EVAL, packOf } from '../attempts/workloads.js';
import { type Figure, quantile } from '../measurement/report.js';
import type { Volume } from '../measurement/volume.js';
import { BenchStack } from '../stack/bench-stack.js';

/** One run that really was run, and copies of it: 100,000 attempts. */
const WHOLE = { cases: 500, copies: 199, tries: 60, warmUp: 5 };
/** Pages of attempts hold 200. */
const QUICK: typeof WHOLE = { cases: 201, copies: 1, tries: 4, warmUp: 1 };
/** Requests under way at a time. */
const AT_ONCE = 4;
const TARGET_MS = 150;

/** How long the API takes to read from a workspace with 100,000 attempts. */
export async function benchReads({ isQuick = false }: Volume = {}): Promise<Figure[]> {
  const { cases, copies, ...turns } = isQuick ? QUICK : WHOLE;
  const stack = await BenchStack.start();
  try {
    const pack = packOf({ slug: 'bench-reads', mode: 'prompt_eval', validators: ASSERTIONS }, cases);
    const { id } = await stack.startRun(await stack.enter(pack, PROMPT_EVAL.agents), 1);
    await stack.finished(id);
    await multiply(await stack.databaseUrl('run-orchestrator'), 'runs', copies);
    await multiply(await stack.databaseUrl('scoring'), 'scoring', copies);
    const reads = await readsOf(stack.client, id);
    const figures: Figure[] = [];
    const all: number[] = [];
    for (const [name, read] of Object.entries(reads)) {
      const key = name.replaceAll(/\W+/g, '_');
      const cpuMs = await processorMsOf(stack, read, turns);
      const milliseconds = await timesOf(read, turns);
      all.push(...milliseconds);
      figures.push(
        {
          key: `${key}_p95_ms`,
          name: `GET ${name}, p95`,
          value: quantile(milliseconds, 0.95),
          unit: 'ms',
          target: TARGET_MS,
        },
        {
          key: `${key}_cpu_ms`,
          name: `GET ${name}, processor time of the whole stack, one at a time`,
          value: cpuMs,
          unit: 'ms',
        },
      );
    }
    const total = { key: 'all_p95_ms', name: 'all of them, p95', unit: 'ms', target: TARGET_MS } as const;
    return [...figures, { ...total, value: quantile(all, 0.95) }];
  } finally {
    await stack.stop();
  }
}

type Turns = Pick<typeof WHOLE, 'tries' | 'warmUp'>;
type Read = () => Promise<unknown>;

async function readsOf(client: Client, runId: string): Promise<Record<string, Read>> {
  const params = { run_id: runId };
  const firstPage = await client.call(routes.runs.attempts, { params, query: { limit: 200 } });
  const [attempt] = firstPage.items;
  if (attempt === undefined || firstPage.next_cursor === null)
    throw new Error('the run has too few attempts');
  const cursor = firstPage.next_cursor;
  const ofAttempt = { params: { attempt_id: attempt.id } };
  const runsPage = await client.call(routes.runs.list, { query: { limit: 100 } });
  const runsCursor = runsPage.next_cursor ?? undefined;
  return {
    runs: () => client.call(routes.runs.list, { query: { limit: 50 } }),
    'runs, a later page': () => client.call(routes.runs.list, { query: { limit: 50, cursor: runsCursor } }),
    'runs by status': () => client.call(routes.runs.list, { query: { status: 'completed', limit: 50 } }),
    run: () => client.call(routes.runs.get, { params }),
    'run agents': () => client.call(routes.runs.agents, { params }),
    attempts: () => client.call(routes.runs.attempts, { params, query: { limit: 100 } }),
    'attempts, a later page': () =>
      client.call(routes.runs.attempts, { params, query: { limit: 100, cursor } }),
    'attempts by outcome': () =>
      client.call(routes.runs.attempts, { params, query: { outcome: 'completed', limit: 100 } }),
    ranking: () => client.call(routes.runs.ranking, { params }),
    attempt: () => client.call(routes.attempts.get, ofAttempt),
    replay: () => client.call(routes.attempts.replay, ofAttempt),
    scorecard: () => client.call(routes.attempts.scorecard, ofAttempt),
    deployments: () => client.call(routes.deployments.list, { query: { limit: 50 } }),
  };
}

/** The processor time of all processes of the stack for one request, without other load. */
async function processorMsOf(stack: BenchStack, read: Read, { tries, warmUp }: Turns): Promise<number> {
  for (let turn = 0; turn < warmUp; turn += 1) await read();
  const before = stackSeconds(stack);
  for (let turn = 0; turn < tries; turn += 1) await read();
  return ((stackSeconds(stack) - before) * 1_000) / tries;
}

function stackSeconds(stack: BenchStack): number {
  return Object.values(cpuOf(stack)).reduce((sum, seconds) => sum + seconds, 0);
}

/** How long requests take, some at a time. */
async function timesOf(read: Read, { tries }: Turns): Promise<number[]> {
  const milliseconds: number[] = [];
  const reader = async () => {
    while (milliseconds.length < tries) {
      const startedAt = performance.now();
      await read();
      milliseconds.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, reader));
  return milliseconds;
}

/** The rows of a run in a service's schema: tables, and their columns with ids of runs and of parts of runs. */
const TABLES = {
  runs: {
    runs: ['id'],
    run_agents: ['id', 'run_id'],
    attempts: ['id', 'run_id', 'run_agent_id'],
    deliveries: ['attempt_id'],
    events: ['event_id', 'run_id', 'run_agent_id', 'attempt_id'],
  },
  scoring: {
    attempt_scorecards: ['attempt_id', 'run_id', 'run_agent_id'],
    run_agent_scorecards: ['run_agent_id', 'run_id'],
    rankings: ['run_id'],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>;
type Schema = keyof typeof TABLES;

/** Belongs to one run alone. */
const NULLED = new Set(['request_id']);

/**
 * Copies everything that one schema holds of its runs so many times, under ids made of the old ones. Other columns stay,
 * so that copies look as if they had been run.
 */
async function multiply(connectionString: string, schema: Schema, copies: number): Promise<void> {
  const client = new pg.Client({ connectionString, options: `-c search_path=${schema}` });
  await client.connect();
  try {
    for (const [table, ids] of Object.entries<readonly string[]>(TABLES[schema])) {
      const found = await client.query<{ column_name: string }>(
        'SELECT column_name FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2',
        [schema, table],
      );
      const columns = found.rows.map(({ column_name }) => column_name);
      const values = columns.map((column) => copied(column, ids));
      await client.query(
        `INSERT INTO ${table} (${columns.map(quoted).join(', ')})
         SELECT ${values.join(', ')} FROM ${table} CROSS JOIN generate_series(1, $1::int) AS copy`,
        [copies],
      );
      await client.query(`ANALYZE ${table}`);
    }
  } finally {
    await client.end();
  }
}

function copied(column: string, ids: readonly string[]): string {
  if (NULLED.has(column)) return 'NULL';
  if (!ids.includes(column)) return quoted(column);
  // Version and variant as in every id of ours, or cursors that hold one are refused.
  return `overlay(overlay(md5(${quoted(column)}::text || copy) placing '7' from 13) placing '8' from 17)::uuid`;
}

function quoted(column: string): string {
  return `"${column}"`;
}
