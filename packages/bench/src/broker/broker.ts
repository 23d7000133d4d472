import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { routes } from '@agentclash/api';
import { measuredRace } from '../attempts/race.js';
import { ASSERTIONS, packOf } from '../attempts/workloads.js';
import { type Figure, quantile } from '../measurement/report.js';
import type { Volume } from '../measurement/volume.js';
import { BenchStack } from '../stack/bench-stack.js';
import { type Calls, directCalls, programOf, timesOf } from './programs.js';

interface Scale {
  /** Programs at once. */
  programs: number;
  large: number;
  repetitions: number;
  calls: number;
}

const WHOLE: Scale = { programs: 100, large: 8, repetitions: 4, calls: 20 };
const QUICK: Scale = { programs: 2, large: 2, repetitions: 2, calls: 2 };
const EVERY_MS = 2_000;
const PROMPT_BYTES = 4_096;
const LARGE_PROMPT_BYTES = 1 << 20;
const TARGETS = { addedMs: 5, growthMib: 50 };

/**
 * The time that the broker adds to a program's model call, its slot, credential, limits and evidence included: calls
 * from sandboxes of a whole stack beside the same calls made directly, so many programs at once in both.
 */
export async function benchBroker({ isQuick = false }: Volume = {}): Promise<Figure[]> {
  const scale = isQuick ? QUICK : WHOLE;
  const { programs, large, repetitions, calls } = scale;
  const provider = await startProvider();
  const stack = await BenchStack.start({ SANDBOX_MAX_CONCURRENT: String(programs) });
  try {
    await addModel(stack, provider.url, programs);
    const small: Calls = { calls, promptBytes: PROMPT_BYTES, everyMs: EVERY_MS };
    const many = await stack.enter(pack('bench-broker', programs), [agent('caller', small)]);
    const few = await measuredRace(stack, many, 1);
    const direct = await directCalls(provider.url, programs, small);
    const race = await measuredRace(stack, many, repetitions);
    const brokered = await timesOfRun(stack, race.id);
    const long: Calls = { ...small, promptBytes: LARGE_PROMPT_BYTES };
    const entry = await stack.enter(pack('bench-broker-large', large), [agent('large-caller', long)]);
    const largeDirect = await directCalls(provider.url, large, long);
    const largeBrokered = await timesOfRun(stack, (await measuredRace(stack, entry, 1)).id);
    return [
      { key: 'programs', name: 'programs at once', value: programs, unit: '' },
      ...addedFigures('call', `a call of ${programs} programs`, { direct, brokered }),
      ...addedFigures('large_call', 'a call with a prompt of 1 MiB', {
        direct: largeDirect,
        brokered: largeBrokered,
      }),
      {
        key: 'call_services_cpu_ms',
        name: 'processor time per call, services, sandboxes included',
        value: ((race.cpu.services ?? 0) * 1_000) / (programs * repetitions * calls),
        unit: 'ms',
      },
      {
        key: 'growth_mib',
        name: `memory of the services, ${repetitions} times as many calls`,
        value: race.peakMib - few.peakMib,
        unit: 'MiB',
        target: TARGETS.growthMib,
      },
    ];
  } finally {
    await stack.stop();
    provider.process.kill();
  }
}

function addedFigures(
  key: string,
  name: string,
  { direct, brokered }: Record<'direct' | 'brokered', number[]>,
): Figure[] {
  const added = (share: number) => quantile(brokered, share) - quantile(direct, share);
  const isLarge = key !== 'call';
  return [
    {
      key: `${key}_direct_p50_ms`,
      name: `${name}, to the provider, median`,
      value: quantile(direct, 0.5),
      unit: 'ms',
    },
    {
      key: `${key}_p50_ms`,
      name: `${name}, through the broker, median`,
      value: quantile(brokered, 0.5),
      unit: 'ms',
    },
    {
      key: `${key}_added_p50_ms`,
      name: `${name}, added by the broker, median`,
      value: added(0.5),
      unit: 'ms',
      ...(!isLarge && { target: TARGETS.addedMs }),
    },
    {
      key: `${key}_added_p95_ms`,
      name: `${name}, added, 95th percentile`,
      value: added(0.95),
      unit: 'ms',
    },
  ];
}

async function timesOfRun(stack: BenchStack, runId: string): Promise<number[]> {
  const times: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const page: { items: { id: string }[]; next_cursor: string | null } = await stack.client.call(
      routes.runs.attempts,
      {
        params: { run_id: runId },
        query: { limit: 100, ...(cursor !== undefined && { cursor }) },
      },
    );
    const attempts = await Promise.all(
      page.items.map(({ id }) => stack.client.call(routes.attempts.get, { params: { attempt_id: id } })),
    );
    times.push(...attempts.flatMap(({ final_output }) => timesOf(final_output ?? '')));
    if (page.next_cursor === null) return times;
    cursor = page.next_cursor;
  }
}

function pack(slug: string, cases: number): object {
  return packOf({ slug, mode: 'native', validators: ASSERTIONS }, cases);
}

function agent(name: string, calls: Calls): object {
  return { name, kind: 'program', config: { command: programOf(calls), models: { main: 'main' } } };
}

async function addModel(stack: BenchStack, url: string, concurrency: number): Promise<void> {
  const { id } = await stack.client.call(routes.providerAccounts.create, {
    body: {
      name: 'bench',
      provider_key: 'openai_compatible',
      base_url: `${url}/v1`,
      limits: { max_concurrency: concurrency },
    },
  });
  await stack.client.call(routes.modelAliases.create, {
    body: { name: 'main', provider_account_id: id, model: 'bench-1' },
  });
}

async function startProvider(): Promise<{ process: ChildProcess; url: string }> {
  const file = fileURLToPath(new URL('./provider.js', import.meta.url));
  const child = fork(file);
  const [port] = await once(child, 'message');
  return { process: child, url: `http://127.0.0.1:${port}` };
}
