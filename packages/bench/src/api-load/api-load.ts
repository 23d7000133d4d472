import { setTimeout as delay } from 'node:timers/promises';
import { type Figure, quantile } from '../measurement/report.js';
import type { Volume } from '../measurement/volume.js';
import { BenchStack } from '../stack/bench-stack.js';

interface Load {
  seconds: number;
  /** Requests a minute that the token may send, a sixth of them at once: more than that comes in the time. */
  rateLimit: number;
}

const WHOLE: Load = { seconds: 20, rateLimit: 6_000 };
const QUICK: Load = { seconds: 1, rateLimit: 600 };
const SENT_PER_SECOND = 200;
/** Requests of another token, one after the other, before those that count: what they measure is a warm server. */
const WARM_UP = 500;
const P99_MS_MAX = 250;

interface Sent {
  /** 0 where there was no response. */
  status: number;
  ms: number;
}

/** Response times of the API at the rate limit and beyond it, of served and refused requests. */
export async function benchApiLoad({ isQuick = false }: Volume = {}): Promise<Figure[]> {
  const { seconds, rateLimit } = isQuick ? QUICK : WHOLE;
  const stack = await BenchStack.start({ RATE_LIMIT: String(rateLimit) });
  try {
    const token = await stack.newToken('warm-up');
    for (let count = 0; count < (isQuick ? 1 : WARM_UP); count += 1) await send({ url: stack.url, token });
    return figuresOf(await load(stack, seconds), seconds);
  } finally {
    await stack.stop();
  }
}

async function load(stack: BenchStack, seconds: number): Promise<Sent[]> {
  const sent: Promise<Sent>[] = [];
  const startedAt = performance.now();
  for (let count = 0; count < SENT_PER_SECOND * seconds; count += 1) {
    const dueMs = (count / SENT_PER_SECOND) * 1_000 - (performance.now() - startedAt);
    // Sent when it is due, whether or not the ones before have a response: a slow server gets no rest.
    if (dueMs > 0) await delay(dueMs);
    sent.push(send(stack));
  }
  return await Promise.all(sent);
}

function figuresOf(responses: readonly Sent[], seconds: number): Figure[] {
  const [served, refused] = [200, 429].map((status) =>
    responses.filter((response) => response.status === status),
  );
  const other = responses.length - (served?.length ?? 0) - (refused?.length ?? 0);
  return [
    { key: 'served_per_second', name: 'served', value: (served?.length ?? 0) / seconds, unit: '1/s' },
    ...p99Of('served', served),
    ...p99Of('refused', refused),
    { key: 'neither', name: 'other responses', value: other, unit: '', target: 0 },
  ];
}

/** None where there were no such responses. */
function p99Of(kind: 'served' | 'refused', responses: readonly Sent[] = []): Figure[] {
  if (responses.length === 0) return [];
  const times = responses.map(({ ms }) => ms);
  const figure = {
    key: `${kind}_p99_ms`,
    name: `p99 of those ${kind}`,
    unit: 'ms',
    target: P99_MS_MAX,
  } as const;
  return [{ ...figure, value: quantile(times, 0.99) }];
}

async function send({ url, token }: Pick<BenchStack, 'url' | 'token'>): Promise<Sent> {
  const startedAt = performance.now();
  const status = await statusOf(`${url}/v1/workspaces/default/runs?limit=10`, token).catch(() => 0);
  return { status, ms: performance.now() - startedAt };
}

async function statusOf(address: string, token: string): Promise<number> {
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}
