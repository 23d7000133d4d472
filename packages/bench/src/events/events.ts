import { PROMPT_EVAL, SOLUTION, shapeFor } from '../attempts/workloads.js';
import { type Figure, quantile } from '../measurement/report.js';
import type { Volume } from '../measurement/volume.js';
import { BenchStack, type Entry } from '../stack/bench-stack.js';

const FAN_OUT = { attempts: 200, readers: 200 };
const QUICK: typeof FAN_OUT = { attempts: 10, readers: 3 };
/** Agents that take their time, as models do: about a hundred events a second for twenty seconds. */
const PACE = { delayMs: 1_000, maxConcurrency: 15 };
const PACED = {
  name: 'paced',
  kind: 'scripted',
  config: { steps: [{ answer: SOLUTION, delay_ms: PACE.delayMs }] },
};
/** A token may hold so many streams open. */
const STREAMS_PER_TOKEN = 100;
const SAMPLE_EVERY = 20;
const LATENCY_MS = 1_000;

/**
 * How many events, and how late: at one reader and at two hundred under full load, and at two hundred of a run whose
 * agents take their time.
 */
export async function benchEvents(volume: Volume = {}): Promise<Figure[]> {
  const { isQuick } = volume;
  const fanOut = isQuick ? QUICK : FAN_OUT;
  const { cases, repetitions } = shapeFor(PROMPT_EVAL, volume);
  const stack = await BenchStack.start();
  try {
    const entry = await stack.enter(PROMPT_EVAL.pack(cases), PROMPT_EVAL.agents);
    await watched(stack, entry, { repetitions: 1, tokens: [stack.token] });
    const one = await watched(stack, entry, { repetitions, tokens: [stack.token] });
    const many = {
      repetitions: shapeFor(PROMPT_EVAL, { attempts: fanOut.attempts, isQuick }).repetitions,
      tokens: await readersOf(stack, fanOut.readers),
      sampleEvery: isQuick ? 1 : SAMPLE_EVERY,
    };
    const paced = await stack.enter(PROMPT_EVAL.pack(cases), [PACED]);
    const steady = await watched(stack, paced, { ...many, maxConcurrency: PACE.maxConcurrency });
    const burst = await watched(stack, entry, many);
    const readers = `${fanOut.readers} readers`;
    return [
      throughput('events', 'one reader', one),
      ...latency('events', 'one reader', one),
      throughput('paced_fan_out', `${readers} of agents that take their time`, steady),
      ...latency('paced_fan_out', `${readers} of agents that take their time`, steady),
      throughput('fan_out', `${readers} under full load`, burst),
      ...latency('fan_out', `${readers} under full load`, burst),
    ];
  } finally {
    await stack.stop();
  }
}

/** A token for each reader. */
async function readersOf(stack: BenchStack, readers: number): Promise<string[]> {
  const tokens = await Promise.all(
    Array.from({ length: Math.ceil(readers / STREAMS_PER_TOKEN) }, (_, index) =>
      stack.newToken(`reader-${index}`),
    ),
  );
  return tokens.flatMap((token) => Array.from({ length: STREAMS_PER_TOKEN }, () => token)).slice(0, readers);
}

interface Watching {
  repetitions: number;
  maxConcurrency?: number;
  /** One reader each. */
  tokens: readonly string[];
  sampleEvery?: number;
}

interface Watched {
  readers: Followed[];
  seconds: number;
}

async function watched(stack: BenchStack, entry: Entry, watching: Watching): Promise<Watched> {
  const startedAt = performance.now();
  const { repetitions, maxConcurrency, sampleEvery = 1 } = watching;
  const { id, workspace_id } = await stack.startRun(entry, repetitions, maxConcurrency);
  const readers = await Promise.all(
    watching.tokens.map((token) =>
      follow({ url: stack.url, token, workspace: workspace_id, runId: id, sampleEvery }),
    ),
  );
  await stack.finished(id);
  return { readers, seconds: (performance.now() - startedAt) / 1_000 };
}

function throughput(key: string, name: string, { readers, seconds }: Watched): Figure {
  const events = readers.reduce((sum, reader) => sum + reader.events, 0);
  const [least = 0, most = 0] = [Math.min, Math.max].map((of) =>
    of(...readers.map((reader) => reader.events)),
  );
  if (least !== most) throw new Error(`one reader saw ${least} events, another ${most}`);
  return {
    key: `${key}_per_second`,
    name: `events to ${name}, per second`,
    value: events / seconds,
    unit: '1/s',
  };
}

function latency(key: string, name: string, { readers }: Watched): Figure[] {
  const latencies = readers.flatMap((reader) => reader.latencies);
  return [
    {
      key: `${key}_p50_ms`,
      name: `from emitted to ${name}, median`,
      value: quantile(latencies, 0.5),
      unit: 'ms',
    },
    {
      key: `${key}_p95_ms`,
      name: `from emitted to ${name}, p95`,
      value: quantile(latencies, 0.95),
      unit: 'ms',
      target: LATENCY_MS,
    },
  ];
}

/** The events that one reader of a run's stream has seen. */
interface Followed {
  events: number;
  /** From the timestamp of an event to its arrival here, in milliseconds. */
  latencies: number[];
}

interface FollowOptions {
  url: string;
  token: string;
  workspace: string;
  runId: string;
  /** Only every so many events are looked into: reading is not what is measured. */
  sampleEvery?: number;
}

const BOUNDARY = '\n\n';
const OCCURRED_AT = /"occurred_at":"([^"]+)"/;

/** Reads the server-sent events of a run over one connection until the server ends it. */
async function follow({ url, token, workspace, runId, sampleEvery = 1 }: FollowOptions): Promise<Followed> {
  const response = await fetch(`${url}/v1/workspaces/${workspace}/runs/${runId}/events`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  });
  if (!response.ok || response.body === null) throw new Error(`the stream responded ${response.status}`);
  const followed: Followed = { events: 0, latencies: [] };
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const arrivedAt = Date.now();
    const messages = (rest + chunk).split(BOUNDARY);
    rest = messages.pop() ?? '';
    for (const message of messages) {
      if (!message.includes('data:')) continue;
      followed.events += 1;
      if (followed.events % sampleEvery !== 0) continue;
      const occurredAt = OCCURRED_AT.exec(message)?.[1];
      if (occurredAt !== undefined) followed.latencies.push(arrivedAt - Date.parse(occurredAt));
    }
  }
  return followed;
}
