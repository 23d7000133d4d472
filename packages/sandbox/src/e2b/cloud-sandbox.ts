import { readFile } from 'node:fs/promises';
import type { SandboxDeath, SandboxStats } from '../contract.js';
import { firstInsideLeaseMs, LEASE_EXIT } from '../inside/lifetime.js';
import type { InsideLink } from '../inside/wire.js';
import {
  type Connection,
  INSIDE_DIRECTORY,
  INSIDE_PATH,
  LEASE_SLACK_MS,
  LeasedClient,
  type LinkEnd,
  type RemoteSandbox,
} from '../remote/remote-sandbox.js';
import type { ResolvedSpec } from '../resolved-spec.js';
import type { E2bApi, E2bSandbox } from './api.js';
import { Envd, type ProcessEvent } from './envd.js';

const EXTEND_EVERY_MS = 15_000;
const PREPARE = 'mkdir -p "$@" && (chown user:user "$@" 2>/dev/null || :) && chmod 755 "$@"';

/** All that one sandbox holds at the service. */
export class CloudSandbox implements RemoteSandbox {
  #link: ProcessLink | undefined;
  #extendedAt = performance.now();

  constructor(
    private readonly sandbox: E2bSandbox,
    private readonly api: E2bApi,
    private readonly insideTool: string,
    private readonly onProblem: (message: string, cause?: unknown) => void,
  ) {}

  get id(): string {
    return this.sandbox.sandboxID;
  }

  /** Makes the directories of the spec, brings the process inside and starts it. */
  async connect(spec: ResolvedSpec): Promise<Connection> {
    const envd = new Envd(this.api.urlOf(this.sandbox), this.sandbox.envdAccessToken ?? undefined);
    const roots = [...spec.workspaceRoots, ...spec.extraRoots];
    await envd.run(['/bin/sh', '-c', PREPARE, 'sh', INSIDE_DIRECTORY, ...roots]);
    await envd.upload(INSIDE_PATH, await readFile(this.insideTool));
    await envd.run(['/bin/sh', '-c', 'chown root:root "$1" 2>/dev/null; chmod 755 "$1"', 'sh', INSIDE_PATH]);
    const pids = Math.floor(spec.limits.pids);
    const leaseMs = Math.floor(firstInsideLeaseMs(spec));
    const link = new ProcessLink(envd, [INSIDE_PATH, String(pids), String(leaseMs)], () => this.#remove());
    this.#link = link;
    return { inside: new LeasedClient(link, (ms) => this.#extend(ms)), ended: link.ended };
  }

  async stats(): Promise<SandboxStats> {
    return {};
  }

  oomKills(): undefined {
    return undefined;
  }

  kill(): void {
    this.#link?.close();
    this.#remove();
  }

  async destroy(): Promise<void> {
    this.#link?.close();
    await this.api.remove(this.id);
    await this.#link?.ended;
  }

  async deathOf({ exitCode }: LinkEnd): Promise<SandboxDeath> {
    return exitCode === LEASE_EXIT ? 'lease_expired' : 'killed';
  }

  #remove(): void {
    this.api.remove(this.id).catch((error) => this.onProblem(`removal of sandbox ${this.id} failed`, error));
  }

  #extend(leaseMs: number): void {
    if (performance.now() - this.#extendedAt < EXTEND_EVERY_MS) return;
    this.#extendedAt = performance.now();
    this.api
      .extend(this.id, leaseMs + LEASE_SLACK_MS)
      .catch((error) => this.onProblem(`renewal of sandbox ${this.id} failed`, error));
  }
}

const BATCH_BYTES_MAX = 1 << 20;

/** A process in a sandbox of the service, as a link to the process inside. */
class ProcessLink implements InsideLink {
  readonly ended: Promise<LinkEnd>;
  #listener: ((bytes: Buffer) => void) | undefined;
  #detail = '';
  #pid: number | undefined;
  #waiting: Buffer[] = [];
  #isSending = false;
  readonly #stopped = new AbortController();

  constructor(
    private readonly envd: Envd,
    argv: readonly [string, ...string[]],
    private readonly onKill: () => void,
  ) {
    const [cmd, ...args] = argv;
    this.ended = this.#follow(envd.start({ cmd, args, user: 'user', signal: this.#stopped.signal }));
  }

  send(bytes: Buffer): void {
    this.#waiting.push(bytes);
    void this.#pump();
  }

  onBytes(listener: (bytes: Buffer) => void): void {
    this.#listener = listener;
  }

  kill(): void {
    this.close();
    this.onKill();
  }

  close(): void {
    this.#stopped.abort();
  }

  async #follow(events: AsyncIterable<ProcessEvent>): Promise<LinkEnd> {
    try {
      for await (const { start, data, end } of events) {
        if (start) this.#pid = start.pid;
        if (start) void this.#pump();
        if (data?.stdout) this.#listener?.(Buffer.from(data.stdout, 'base64'));
        if (data?.stderr) this.#detail += Buffer.from(data.stderr, 'base64').toString().slice(0, 1_000);
        if (end) return { exitCode: end.exitCode ?? 0, detail: this.#detail };
      }
      return { exitCode: undefined, detail: `${this.#detail} the stream ended` };
    } catch (error) {
      return { exitCode: undefined, detail: `${this.#detail} ${String(error)}` };
    }
  }

  /** One request at a time: the service promises no order between two. */
  async #pump(): Promise<void> {
    if (this.#isSending || this.#pid === undefined || this.#stopped.signal.aborted) return;
    this.#isSending = true;
    try {
      while (this.#waiting.length > 0) await this.envd.sendInput(this.#pid, this.#batch());
    } catch (error) {
      this.#detail += String(error);
      this.close();
    } finally {
      this.#isSending = false;
    }
  }

  #batch(): Buffer {
    let [bytes, count] = [0, 0];
    for (const chunk of this.#waiting) {
      bytes += chunk.length;
      if (count > 0 && bytes > BATCH_BYTES_MAX) break;
      count++;
    }
    return Buffer.concat(this.#waiting.splice(0, count));
  }
}
