import type { Duplex } from 'node:stream';
import type { SandboxStats } from '../contract.js';
import { START_MS_MAX } from '../cpu/limit-clock.js';
import { SandboxError } from '../sandbox-error.js';
import { Task, type TaskExit, type TaskOutput } from './task.js';
import { encodeTaskRequest, type TaskRequest } from './task-request.js';
import { Tunnels } from './tunnels.js';
import {
  encodeFrame,
  encodeNumber,
  type Frame,
  FrameDecoder,
  type InsideLink,
  TUNNEL_ID_BIT,
} from './wire.js';

/** Time beyond its own deadline after which a silent sandbox counts as broken. */
const REPLY_GRACE_MS = 5_000;
const CONTROL_TIMEOUT_MS = 10_000;
/** `setTimeout` takes no more; the lease ends the sandbox long before. */
export const TIMER_MAX_MS = 2 ** 31 - 1;

interface Waiting {
  resolve: (payload: Buffer) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/** The client of the process inside: many tasks at once over one link. */
export class InsideClient {
  readonly ready: Promise<void>;
  #nextId = 1;
  #death: SandboxError | undefined;
  readonly #decoder = new FrameDecoder();
  readonly #tasks = new Map<number, Task>();
  readonly #waiting = new Map<number, Waiting>();
  readonly #tunnels: Tunnels;

  constructor(private readonly link: InsideLink) {
    this.#tunnels = new Tunnels(link);
    this.ready = this.#wait(0).then(() => {});
    this.ready.catch(() => {});
    link.onBytes((bytes) => this.#onBytes(bytes));
  }

  /** Starts a task; its exit is in the returned task. Throws when the sandbox is dead. */
  start(request: TaskRequest, output: TaskOutput): Task {
    if (this.#death) throw this.#death;
    const payload = encodeTaskRequest(request);
    const id = this.#takeId();
    const task = new Task(id, this.link, output);
    this.#tasks.set(id, task);
    this.link.send(encodeFrame('start', id, payload));
    const startMs = request.verb === 'exec' ? START_MS_MAX : 0;
    const timer = this.#killUnlessReplied(request.timeoutMs && request.timeoutMs + startMs);
    const forget = () => {
      clearTimeout(timer);
      this.#tasks.delete(id);
    };
    task.exit.then(forget, forget);
    return task;
  }

  async run(request: TaskRequest, output: TaskOutput): Promise<TaskExit> {
    return await this.start(request, output).exit;
  }

  killAll(): Promise<void> {
    return this.#call('killAll').then(() => {});
  }

  ping(): Promise<void> {
    return this.#call('ping').then(() => {});
  }

  /** Figures of the whole sandbox, as far as they can be read inside. */
  async figures(): Promise<SandboxStats> {
    return decodeFigures(await this.#call('figures'));
  }

  /** From when this resolves, connections to this port of the sandbox's loopback arrive at `onConnection`. */
  async listen(port: number, onConnection: (stream: Duplex) => void): Promise<void> {
    this.#tunnels.listen(port, onConnection);
    await this.#call('listen', encodeNumber(port));
  }

  setLease(leaseMs: number): void {
    if (!this.#death) this.link.send(encodeFrame('lease', 0, encodeNumber(leaseMs)));
  }

  /** The sandbox has ended: everything under way fails with `death`. */
  close(death: SandboxError): void {
    if (this.#death) return;
    this.#death = death;
    for (const task of this.#tasks.values()) task.fail(death);
    for (const waiting of this.#waiting.values()) {
      clearTimeout(waiting.timer);
      waiting.reject(death);
    }
    this.#tunnels.close();
    this.#tasks.clear();
    this.#waiting.clear();
  }

  async #call(question: 'killAll' | 'ping' | 'listen' | 'figures', payload?: Buffer): Promise<Buffer> {
    if (this.#death) throw this.#death;
    const id = this.#takeId();
    this.link.send(encodeFrame(question, id, payload));
    return await this.#wait(id);
  }

  #wait(id: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new SandboxError('timeout', 'the sandbox does not respond'));
      }, CONTROL_TIMEOUT_MS);
      this.#waiting.set(id, { resolve, reject, timer });
    });
  }

  #killUnlessReplied(timeoutMs: number | undefined): NodeJS.Timeout | undefined {
    if (timeoutMs === undefined || timeoutMs + REPLY_GRACE_MS > TIMER_MAX_MS) return undefined;
    return setTimeout(() => this.link.kill(), timeoutMs + REPLY_GRACE_MS);
  }

  #takeId(): number {
    const id = this.#nextId;
    this.#nextId = (id % (TUNNEL_ID_BIT - 1)) + 1;
    return id;
  }

  #onBytes(bytes: Buffer): void {
    try {
      for (const frame of this.#decoder.push(bytes)) this.#onFrame(frame);
    } catch {
      this.link.kill();
    }
  }

  #onFrame(frame: Frame): void {
    if (frame.taskId >= TUNNEL_ID_BIT) {
      this.#tunnels.onFrame(frame);
      return;
    }
    if (frame.type !== 'ready' && frame.type !== 'done') {
      this.#tasks.get(frame.taskId)?.onFrame(frame);
      return;
    }
    const waiting = this.#waiting.get(frame.taskId);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.#waiting.delete(frame.taskId);
    waiting.resolve(frame.payload);
  }
}

/** In the order of `enum figure` in `native/figures.h`. */
const FIGURES = ['memoryBytes', 'memoryPeakBytes', 'cpuUs', 'processes', 'oomKills'] as const;
const UNKNOWN = 2n ** 64n - 1n;

/** The figures of its own cgroup that the process inside reads; one that it cannot read is absent. */
export function decodeFigures(payload: Buffer): SandboxStats {
  const known = FIGURES.flatMap((name, index) => {
    const at = 8 * index;
    const value = at + 8 > payload.length ? UNKNOWN : payload.readBigUInt64LE(at);
    if (value === UNKNOWN) return [];
    return [name === 'cpuUs' ? ['cpuMs', Number(value) / 1000] : [name, Number(value)]];
  });
  return Object.fromEntries(known) as SandboxStats;
}

/** Of a sandbox with a kernel of its own, which counts as CPU time what it waited for the node. */
export function withoutCpuTime({ cpuMs: _counted, ...figures }: SandboxStats): SandboxStats {
  return figures;
}
