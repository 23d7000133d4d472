import { routes } from '@agentclash/api';
import pg from 'pg';
import { ASSERTIONS, packOf, SOLUTION } from '../attempts/workloads.js';
import type { BenchStack } from '../stack/bench-stack.js';

const AGENTS = 8;

/** A run of so many cases and 8 agents that really was run; every agent is good at other cases. Its id. */
export async function largeRun(stack: BenchStack, cases: number): Promise<string> {
  const agents = Array.from({ length: AGENTS }, (_, index) => agentOf(index, cases));
  const pack = packOf({ slug: 'bench-web', mode: 'prompt_eval', validators: ASSERTIONS }, cases);
  const { id } = await stack.startRun(await stack.enter(pack, agents), 1);
  await stack.finished(id);
  return id;
}

/** Fails at every so many cases. */
function agentOf(index: number, cases: number): object {
  const missed = Array.from({ length: cases }, (_each, at) => at).filter((at) => at % (index + 2) === 0);
  const steps = [{ answer: 'I do not know.' }];
  return {
    name: `agent-${index + 1}`,
    kind: 'scripted',
    config: {
      steps: [{ answer: SOLUTION }],
      by_case: Object.fromEntries(missed.map((at) => [`case-${at}`, steps])),
    },
  };
}

interface LongAttempt {
  /** Of its pack. */
  slug: string;
  events: number;
  /** Calls that were made; the others repeat them. */
  calls: number;
  /** Of the text in each call. */
  bytes: number;
}

/** An attempt with a history of so many events: one that was run, whose calls are repeated. Returns its id. */
export async function longAttempt(
  stack: BenchStack,
  { slug, events, ...work }: LongAttempt,
): Promise<string> {
  const pack = packOf({ slug, mode: 'native', validators: ASSERTIONS }, 1);
  const { id } = await stack.startRun(await stack.enter(pack, [busyAgent(slug, work)]), 1);
  await stack.finished(id);
  const { items } = await stack.client.call(routes.runs.attempts, { params: { run_id: id } });
  const [attempt] = items;
  if (attempt === undefined) throw new Error('the run has no attempt');
  await lengthen(await stack.databaseUrl('run-orchestrator'), { attemptId: attempt.id, events });
  return attempt.id;
}

const LINE = 'Lima\n';

function busyAgent(name: string, { calls, bytes }: Pick<LongAttempt, 'calls' | 'bytes'>): object {
  const content = LINE.repeat(bytes / LINE.length);
  return {
    name,
    kind: 'scripted',
    config: {
      steps: [
        ...Array.from({ length: calls }, (_, index) => ({
          call: { name: 'write_file', arguments: { path: `notes/${index}.txt`, content } },
        })),
        { answer: SOLUTION },
      ],
    },
  };
}

/** Copies all events behind the last, round after round, until there are enough. */
async function lengthen(
  connectionString: string,
  { attemptId, events }: { attemptId: string; events: number },
): Promise<void> {
  const client = new pg.Client({ connectionString, options: '-c search_path=runs' });
  await client.connect();
  try {
    await client.query(
      `WITH recorded AS (SELECT *, row_number() OVER (ORDER BY sequence_number) AS n, count(*) OVER () AS many
                       FROM events WHERE attempt_id = $1 AND delivery IS NOT NULL),
            last AS (SELECT max(position) AS position FROM events
                      WHERE run_id = (SELECT run_id FROM recorded LIMIT 1))
       INSERT INTO events (run_id, position, event_id, run_agent_id, attempt_id, delivery, case_key, repetition,
                           sequence_number, event_type, source, occurred_at, payload, summary)
       SELECT run_id, last.position + row_number() OVER (ORDER BY round, n), gen_random_uuid(), run_agent_id,
              attempt_id, delivery, case_key, repetition, n + round * many, event_type, source, occurred_at,
              payload, summary
         FROM recorded, last, generate_series(1, $2::int / many::int) AS round
        WHERE n + round * many <= $2`,
      [attemptId, events],
    );
  } finally {
    await client.end();
  }
}
