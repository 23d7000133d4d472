import { PROMPT_EVAL, repetitionsFor } from '../attempts/workloads.js';
import { quantile } from '../quantiles.js';
import type { Figure } from '../report.js';
import { BenchStack, type Entry } from '../stack/bench-stack.js';
import { type Followed, follow } from './follower.js';

export interface EventsOptions {
  /** Of the run that is followed by one reader. */
  attempts?: number | undefined;
}

const ATTEMPTS = 2_000;
const FAN_OUT_ATTEMPTS = 200;
const CLIENTS = 200;
/** A token may hold so many streams open. */
const STREAMS_PER_TOKEN = 100;
const SAMPLE_EVERY = 20;
const LATENCY_MS = 1_000;

/** Events under full load: how many, how late at one reader, and how late at two hundred. */
export async function benchEvents({ attempts = ATTEMPTS }: EventsOptions = {}): Promise<Figure[]> {
  const stack = await BenchStack.start();
  try {
    const entry = await stack.enter(PROMPT_EVAL.pack, PROMPT_EVAL.agents);
    await watched(stack, entry, { repetitions: 1, tokens: [stack.token] });
    const one = await watched(stack, entry, { repetitions: repetitionsFor(attempts), tokens: [stack.token] });
    const tokens = await Promise.all(
      Array.from({ length: CLIENTS / STREAMS_PER_TOKEN }, (_, index) => stack.newToken(`reader-${index}`)),
    );
    const many = await watched(stack, entry, {
      repetitions: repetitionsFor(FAN_OUT_ATTEMPTS),
      tokens: tokens.flatMap((token) => Array.from({ length: STREAMS_PER_TOKEN }, () => token)),
      sampleEvery: SAMPLE_EVERY,
    });
    return [...figuresOf('events', 'one reader', one), ...figuresOf('fan_out', `${CLIENTS} readers`, many)];
  } finally {
    await stack.stop();
  }
}

interface Watching {
  repetitions: number;
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
  const { id, workspace_id } = await stack.startRun(entry, watching.repetitions);
  const { sampleEvery = 1 } = watching;
  const readers = await Promise.all(
    watching.tokens.map((token) =>
      follow({ url: stack.url, token, workspace: workspace_id, runId: id, sampleEvery }),
    ),
  );
  await stack.finished(id);
  return { readers, seconds: (performance.now() - startedAt) / 1_000 };
}

function figuresOf(key: string, name: string, { readers, seconds }: Watched): Figure[] {
  const events = readers.reduce((sum, reader) => sum + reader.events, 0);
  const [least = 0, most = 0] = [Math.min, Math.max].map((of) =>
    of(...readers.map((reader) => reader.events)),
  );
  if (least !== most) throw new Error(`one reader saw ${least} events, another ${most}`);
  const latencies = readers.flatMap((reader) => reader.latencies);
  return [
    { key: `${key}_per_second`, name: `events to ${name}, per second`, value: events / seconds, unit: '1/s' },
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
