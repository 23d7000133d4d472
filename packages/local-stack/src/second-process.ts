import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ServiceName } from '@agentclash/contracts';
import type { Readiness } from '@agentclash/service-kit';
import { Heartbeat } from './heartbeat.js';
import { nodeProcess } from './node-process.js';
import type { Environment } from './service-group.js';
import { StackError } from './stack-error.js';
import type { Running } from './supervised-process.js';

/**
 * The services of the second process: execution and grading. They take about as much processor time as the others,
 * and what they start, processes of sandboxes and threads, does not delay the services that serve requests.
 */
export const SECOND: readonly ServiceName[] = ['sandbox-executor', 'scoring'];

/** First message to the second process. */
export interface SecondOrders {
  environments: Partial<Record<ServiceName, Environment>>;
  log: string;
}

/** Its messages: the result of its start, and a reply to each heartbeat. */
export type SecondMessage =
  | { kind: 'ready'; health: Record<string, number> }
  | { kind: 'failed'; message: string; hint?: string }
  | { kind: 'alive' };

/** The word that ends it; so does the end of the first process. */
export const STOP = 'stop';
/** Requires a reply. */
export const HEARTBEAT = 'heartbeat';

export interface SecondProcess extends Running {
  pid: number;
  /** Ports of the health endpoints, by service. */
  health: Record<string, number>;
  status(): Promise<Record<string, Readiness>>;
}

const STOP_MS_MAX = 60_000;

/** Starts the second process; in the place of one that ended, with its health endpoints where they were. */
export async function startSecond(
  { environments, log }: SecondOrders,
  before?: Pick<SecondProcess, 'health'>,
): Promise<SecondProcess> {
  const output = openSync(log, 'a', 0o600);
  const child = fork(fileURLToPath(new URL('./second.js', import.meta.url)), [], {
    ...nodeProcess(),
    stdio: ['ignore', output, output, 'ipc'],
  });
  closeSync(output);
  const exited = new Promise<[]>((resolve) => {
    for (const end of ['exit', 'error']) child.once(end, () => resolve([]));
  });
  const orders: SecondOrders = { environments: atPorts(environments, before?.health), log };
  child.send(orders);
  const [reply] = (await Promise.race([once(child, 'message'), exited])) as [SecondMessage?];
  if (reply?.kind !== 'ready') {
    await exited;
    throw startFailure(reply, log);
  }
  const heartbeat = new Heartbeat({
    send: () => child.send(HEARTBEAT, () => {}),
    // The supervisor starts another in its place.
    onSilence: () => child.kill('SIGKILL'),
  });
  child.on('message', () => heartbeat.replied());
  child.once('exit', () => heartbeat.stop());
  return {
    pid: child.pid ?? 0,
    health: reply.health,
    exited,
    status: () => statusOf(reply.health),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      heartbeat.stop();
      child.send(STOP, () => {});
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
      await exited;
      clearTimeout(force);
    },
  };
}

function atPorts(environments: SecondOrders['environments'], health: Record<string, number> = {}) {
  return Object.fromEntries(
    Object.entries(environments).map(([name, environment]) => {
      const port = health[name];
      return [name, port === undefined ? environment : { ...environment, HEALTH_PORT: String(port) }];
    }),
  );
}

async function statusOf(health: Record<string, number>): Promise<Record<string, Readiness>> {
  const entries = Object.entries(health).map(async ([name, port]) => {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`);
      return [name, (await response.json()) as Readiness] as const;
    } catch {
      return [name, { ready: false, parts: { process: 'not reachable' } }] as const;
    }
  });
  return Object.fromEntries(await Promise.all(entries));
}

function startFailure(reply: SecondMessage | undefined, log: string): Error {
  if (reply?.kind !== 'failed') {
    return new StackError('start_failed', 'The second process ended while it started', `Details: ${log}`);
  }
  const { message, hint } = reply;
  return hint === undefined ? new Error(message) : new StackError('start_failed', message, hint);
}
