import { setTimeout as pause } from 'node:timers/promises';
import type { CpuStarvation, SandboxDeath, SandboxStats } from '../contract.js';
import type { CpuMeter } from '../cpu/limit-clock.js';
import type { PreparedImage } from '../image.js';
import { InsideClient, withoutCpuTime } from '../inside/client.js';
import { firstInsideLeaseMs, LEASE_EXIT } from '../inside/lifetime.js';
import type { Connection, LinkEnd, RemoteSandbox } from '../remote/remote-sandbox.js';
import type { ResolvedSpec } from '../resolved-spec.js';
import { isSandboxError, SandboxError } from '../sandbox-error.js';
import { AttachLink } from './attach-link.js';
import { type ContainerNames, type ContainerPlan, containerConfig } from './container.js';
import { CONNECTION_LOST, DAEMON_GONE, endOfContainer, KILLED_BY_DAEMON } from './container-end.js';
import { containerMeter } from './container-meter.js';
import { removeContainer } from './containers.js';
import { watchDisk } from './disk-watch.js';
import type { Engine } from './engine.js';
import { EngineError } from './engine-error.js';
import type { ContainerDetails } from './engine-objects.js';

/** Of the daemon, until it has noted the end of a container whose stream has ended. */
const END_MS = 30_000;
const END_POLL_MS = 50;

const FULL = 'its root was larger than its disk';

/** One container, from its creation to its removal. */
export class ContainerSandbox implements RemoteSandbox {
  #link: AttachLink | undefined;
  #connection: Connection | undefined;
  #isEnding = false;
  #meter: ReturnType<typeof containerMeter>;
  #wasFull = false;
  #death: SandboxDeath = 'killed';
  #removal: Promise<void> | undefined;
  readonly #watch = new AbortController();

  constructor(
    readonly id: string,
    readonly plan: ContainerPlan,
    private readonly facts: {
      names: ContainerNames;
      /** From when it responds. */
      leaseMs: number;
      image?: PreparedImage | undefined;
      onRemoved: () => void;
    },
    private readonly engine: Engine,
    private readonly onProblem: (message: string, cause?: unknown) => void,
  ) {}

  get image(): PreparedImage | undefined {
    return this.facts.image;
  }

  /** Started before, where it comes from a pool. */
  async connect(spec: ResolvedSpec, signal: AbortSignal | undefined): Promise<Connection> {
    if (this.#connection === undefined) return await this.start(signal);
    this.#connection.inside.setLease(firstInsideLeaseMs(spec));
    return this.#connection;
  }

  async start(signal?: AbortSignal): Promise<Connection> {
    this.#connection = await this.#start(signal);
    return this.#connection;
  }

  /** Of one that was started. */
  get ended(): Promise<LinkEnd> {
    return this.#connection?.ended ?? Promise.reject(new Error('the container was not started'));
  }

  get cpuMeter(): CpuMeter | undefined {
    return this.#meter?.meter;
  }

  /** How this provider knows that it got no CPU. */
  get cpuStarvation(): CpuStarvation {
    return this.#meter?.kind ?? 'none';
  }

  async stats(): Promise<SandboxStats> {
    const figures = (await this.#connection?.inside.figures()) ?? {};
    if (!this.plan.isGvisor) return figures;
    // gVisor shows no cgroup inside, and its own count of CPU time knows no quota.
    const [cpuMs, oomKills] = [this.#meter?.cpuMs(), this.oomKills()];
    return {
      ...withoutCpuTime(figures),
      ...(cpuMs !== undefined && { cpuMs }),
      ...(oomKills !== undefined && { oomKills }),
    };
  }

  /** In other containers the process inside reports it with the exit of a command. */
  oomKills(): number | undefined {
    return this.plan.isGvisor ? this.#meter?.oomKills() : undefined;
  }

  kill(): void {
    this.#isEnding = true;
    this.#link?.close();
    this.#remove().catch((error) => this.onProblem(`removal of container ${this.id} failed`, error));
  }

  async destroy(): Promise<void> {
    this.#isEnding = true;
    this.#link?.close();
    await this.#remove();
    await this.#connection?.ended;
  }

  async deathOf({ exitCode }: LinkEnd): Promise<SandboxDeath> {
    if (exitCode === LEASE_EXIT) return 'lease_expired';
    if (this.#isEnding) return 'killed';
    return this.#death;
  }

  async #start(signal: AbortSignal | undefined): Promise<Connection> {
    const { engine, id, plan } = this;
    const body = containerConfig(plan, this.facts.names);
    try {
      await engine.post('/containers/create', { query: { name: id }, body, signal });
      const link = new AttachLink(await engine.attach(id, signal), () => this.kill());
      this.#link = link;
      const inside = new InsideClient(link);
      const ended = link.closed.then((detail) => this.#end(detail));
      inside.ready.then(
        () => inside.setLease(this.facts.leaseMs),
        () => {},
      );
      await engine.post(`/containers/${id}/start`, { signal });
      this.#meter = containerMeter(await engine.get(`/containers/${id}/json`, { signal }));
      this.#watchDisk();
      return { inside, ended };
    } catch (error) {
      throw startError(error, plan);
    }
  }

  async #end(detail: string): Promise<LinkEnd> {
    // At once: its cgroup goes with the container.
    const oomKills = this.#meter?.oomKills();
    this.#watch.abort();
    const { engine, id, plan } = this;
    const deadline = performance.now() + END_MS;
    try {
      while (!this.#isEnding && performance.now() < deadline) {
        const details = await engine.get<ContainerDetails>(`/containers/${id}/json`);
        const { Running, ExitCode: exitCode } = details.State;
        if (!Running && exitCode === LEASE_EXIT) return { exitCode, detail };
        if (!Running) {
          const end = await endOfContainer(engine, details, { oomKills, isGvisor: plan.isGvisor });
          this.#death = end.death;
          return { exitCode, detail, message: end.message };
        }
        await pause(END_POLL_MS);
      }
    } catch (error) {
      const message = isSandboxError(error, 'unavailable') ? DAEMON_GONE : KILLED_BY_DAEMON;
      return { exitCode: undefined, detail: detail || String(error), message };
    }
    if (this.#wasFull)
      return { exitCode: undefined, detail: FULL, message: `the sandbox was killed: ${FULL}` };
    return { exitCode: undefined, detail, message: this.#isEnding ? undefined : CONNECTION_LOST };
  }

  /** No daemon limits the size of a root: the limits that some file systems have count the image, too. */
  #watchDisk(): void {
    const { engine, id, plan } = this;
    const { root, spec } = plan;
    if (root === undefined) return;
    const onFull = () => {
      this.#wasFull = true;
      this.kill();
    };
    const bytesMax = spec.limits.workspaceBytes;
    void watchDisk({ engine, id, bytesMax, signal: this.#watch.signal, onFull });
  }

  #remove(): Promise<void> {
    this.#watch.abort();
    this.#meter?.meter.close();
    const removal = this.#removal ?? removeContainer(this.engine, this.id).then(this.facts.onRemoved);
    this.#removal = removal;
    removal.catch(() => {
      this.#removal = undefined; // the next call tries again
    });
    return removal;
  }
}

function startError(error: unknown, { root, runtime, image }: ContainerPlan): unknown {
  if (isSandboxError(error) || !(error instanceof EngineError)) return error;
  const { reason } = error;
  if (/unknown or invalid runtime|unknown runtime/i.test(reason)) {
    return new SandboxError('unavailable', `the Docker daemon has no runtime ${runtime}`, {
      cause: error,
      fix: 'register it in daemon.json, or set SANDBOX_DOCKER_RUNTIME to one of `docker info`',
    });
  }
  if (/cannot run with network enabled/i.test(reason)) {
    return new SandboxError('unavailable', `the runtime ${runtime} of the Docker daemon wants a network`, {
      cause: error,
      fix: 'register it in daemon.json with "runtimeArgs": ["--network=none"], and restart the daemon',
    });
  }
  if (root !== undefined && /mount|rootfs|not a directory|max depth exceeded|exec format/i.test(reason)) {
    return new SandboxError('invalid_image', `no container of the image ${image} starts: ${reason}`, {
      cause: error,
      fix: 'build it with directories, and neither links nor files, where sandboxes mount theirs',
    });
  }
  const on = runtime === undefined ? '' : ` on the runtime ${runtime}`;
  return new SandboxError('unavailable', `the Docker daemon does not start a container${on}`, {
    cause: error,
    fix: 'the log of the executor and that of the daemon have the cause; `docker run --rm` of any image may show it',
  });
}
