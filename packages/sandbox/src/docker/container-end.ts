import { setTimeout as pause } from 'node:timers/promises';
import type { SandboxDeath } from '../contract.js';
import type { Engine } from './engine.js';
import type { ContainerDetails } from './engine-objects.js';

export interface ContainerEnd {
  death: SandboxDeath;
  /** For users, where more is known than the death. */
  message?: string | undefined;
}

/** The exit code that a daemon notes of a container that ended while nothing watched it. */
const UNSEEN_EXIT = 255;
const SIGKILL_EXIT = 137;
/** The process inside has seen the end of its connection. */
const HOST_GONE_EXIT = 0;
/** Bounds of the wait for events that are about to be noted; the clock of the daemon is known to the second. */
const EVENTS_S = 2;
const LATE_OOM_MS = 500;

export const CONNECTION_LOST =
  'the connection to the container of the sandbox broke: see that the Docker daemon is up and reachable (`docker info`)';
export const DAEMON_GONE =
  'the Docker daemon ended while the sandbox ran: see that it is up (`docker info`, `systemctl status docker`)';
export const KILLED_BY_DAEMON =
  'the Docker daemon was stopped while the sandbox ran, or its container was killed or removed (see the log of the daemon)';
const UNSEEN =
  'the Docker daemon ended while the sandbox ran, or the shim of its container did (see the log of the daemon)';
const KILLED_ON_MACHINE =
  'was killed on the machine of the Docker daemon, and not by the daemon: by hand, or by its kernel for want of memory (see `dmesg` there)';

/**
 * Why a container has ended that its owner did not end. `oomKills`: by the accounting of its cgroup, where that could still
 * be read. Throws what the calls of the engine throw.
 */
export async function endOfContainer(
  engine: Engine,
  { Id, State }: ContainerDetails,
  { oomKills = 0, isGvisor }: { oomKills?: number | undefined; isGvisor: boolean },
): Promise<ContainerEnd> {
  const { ExitCode } = State;
  if (ExitCode === UNSEEN_EXIT) return { death: 'killed', message: UNSEEN };
  // First: a daemon notes of each container whether memory ended any of its processes, at any time.
  if (await wasKilledByDaemon(engine, Id)) return { death: 'killed', message: KILLED_BY_DAEMON };
  if (State.OOMKilled || oomKills > 0 || (await isOutOfMemory(engine, Id))) return { death: 'oom' };
  if (ExitCode === HOST_GONE_EXIT) return { death: 'killed', message: CONNECTION_LOST };
  const what = isGvisor ? 'the kernel of the sandbox (gVisor)' : 'the first process of the sandbox';
  const how =
    ExitCode === SIGKILL_EXIT
      ? KILLED_ON_MACHINE
      : `ended with the exit code ${ExitCode} (see the log of the daemon)`;
  return { death: 'killed', message: `${what} ${how}` };
}

/** It sends the signals of its calls and of its own end, and notes each before it notes the end of the container. */
async function wasKilledByDaemon(engine: Engine, id: string): Promise<boolean> {
  const query = {
    since: '0',
    until: String(Math.ceil(engine.now() / 1000) + EVENTS_S),
    filters: JSON.stringify({ type: ['container'], container: [id] }),
  };
  for await (const { status } of engine.messages('GET', '/events', { query })) {
    if (status === 'kill') return true;
    if (status === 'die') return false;
  }
  return false;
}

/** The kernel's message of it may come after that of the end. */
async function isOutOfMemory(engine: Engine, id: string): Promise<boolean> {
  await pause(LATE_OOM_MS);
  const { State } = await engine.get<ContainerDetails>(`/containers/${id}/json`);
  return State.OOMKilled;
}
