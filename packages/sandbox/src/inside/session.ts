import type {
  ExecOptions,
  ExecResult,
  SandboxDeath,
  SandboxEnd,
  SandboxSession,
  SandboxStats,
} from '../contract.js';
import type { CpuMeter } from '../cpu/limit-clock.js';
import type {
  FileContent,
  FileListing,
  FileScope,
  FileStat,
  FileWritten,
  ListOptions,
  ReadOptions,
  Snapshot,
  SnapshotReport,
  WriteOptions,
} from '../file-store.js';
import { outsideOfChanges, type ResolvedSpec } from '../resolved-spec.js';
import { SandboxError } from '../sandbox-error.js';
import type { InsideClient } from './client.js';
import { type ExecScope, exec } from './exec.js';
import { Files } from './files.js';
import { Lifetime } from './lifetime.js';
import { proxyEnvironment } from './proxy.js';
import { restoreSnapshot, type SnapshotScope, takeSnapshot } from './snapshots.js';

const SNAPSHOT_TIMEOUT_MS = 120_000;

/** The operations of a provider outside of the sandbox. */
export interface SessionHost {
  stats(): Promise<SandboxStats>;
  oomKills(): number | undefined;
  /** Absent where it cannot know how much CPU the sandbox waited for. */
  readonly cpuMeter?: CpuMeter | undefined;
  /** Ends everything and cleans up; called once. */
  destroy(): Promise<void>;
  /** Ends the processes at once; cleaning up follows. */
  kill(): void;
}

const DEATHS: Record<SandboxDeath, string> = {
  destroyed: 'the sandbox was destroyed',
  killed: 'the sandbox was killed',
  oom: 'the sandbox ran out of memory',
  lease_expired: 'the lease of the sandbox expired',
  wall_time: 'the sandbox reached its time limit',
};

/** A session over the process inside; the same for every provider that can run it. */
export class InsideSession implements SandboxSession {
  readonly ended: Promise<SandboxEnd>;
  readonly #files: Files;
  readonly #execScope: ExecScope;
  readonly #snapshotScope: SnapshotScope;
  readonly #lifetime: Lifetime;
  #destroying: Promise<void> | undefined;
  #resolveEnded!: (end: SandboxEnd) => void;
  #cause: SandboxDeath | undefined;

  constructor(
    readonly id: string,
    readonly provider: string,
    private readonly client: InsideClient,
    private readonly host: SessionHost,
    spec: ResolvedSpec & { baseEnv: Readonly<Record<string, string>> },
  ) {
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    const { workingDirectory, workspaceRoots } = spec;
    this.#files = new Files(client, {
      workingDirectory,
      readable: spec.readableRoots,
      writable: spec.writableRoots,
    });
    this.#execScope = {
      workingDirectory,
      roots: spec.readableRoots,
      env: { ...spec.baseEnv, ...proxyEnvironment(spec.network), ...spec.env },
      outputBytesMax: spec.limits.outputBytes,
      oomKills: () => host.oomKills(),
      cpu: spec.limits.cpu,
      cpuMeter: host.cpuMeter,
    };
    this.#snapshotScope = {
      workspaceRoots,
      ...(spec.image === undefined ? {} : { excluded: outsideOfChanges(spec) }),
      bytesMax: spec.limits.workspaceBytes,
      timeoutMs: SNAPSHOT_TIMEOUT_MS,
    };
    this.#lifetime = new Lifetime(client, spec, (cause) => this.#end(cause));
  }

  exec(argv: readonly string[], options?: ExecOptions): Promise<ExecResult> {
    return exec(this.client, this.#execScope, argv, options);
  }

  readFile(path: string, options?: ReadOptions): Promise<FileContent> {
    return this.#files.readFile(path, options);
  }

  writeFile(path: string, data: string | Uint8Array, options?: WriteOptions): Promise<FileWritten> {
    return this.#files.writeFile(path, data, options);
  }

  list(prefix: string, options?: ListOptions): Promise<FileListing> {
    return this.#files.list(prefix, options);
  }

  stat(path: string, options?: FileScope): Promise<FileStat> {
    return this.#files.stat(path, options);
  }

  remove(path: string, options?: FileScope): Promise<void> {
    return this.#files.remove(path, options);
  }

  snapshot(options: { bytesMax?: number } = {}): Snapshot {
    const bytesMax = options.bytesMax ?? this.#snapshotScope.bytesMax;
    return takeSnapshot(this.client, { ...this.#snapshotScope, bytesMax });
  }

  restore(chunks: AsyncIterable<Uint8Array>): Promise<SnapshotReport> {
    return restoreSnapshot(this.client, this.#snapshotScope, chunks);
  }

  killAll(): Promise<void> {
    return this.client.killAll();
  }

  ping(): Promise<void> {
    return this.client.ping();
  }

  renewLease(leaseMs?: number): void {
    this.#lifetime.renew(leaseMs);
  }

  stats(): Promise<SandboxStats> {
    return this.host.stats();
  }

  async destroy(): Promise<void> {
    this.#cause ??= 'destroyed';
    this.#destroying ??= this.host.destroy();
    await this.#destroying;
  }

  /**
   * The provider saw the sandbox end; `guess` is the cause unless this session knows a better one, and `message` has
   * more of it for users.
   */
  onEnded(guess: SandboxDeath, detail = '', message = DEATHS[guess]): void {
    this.#lifetime.stop();
    const death = this.#cause ?? guess;
    const sentence = this.#cause === undefined ? message : DEATHS[death];
    this.client.close(new SandboxError('sandbox_dead', sentence, { death }));
    this.#resolveEnded({
      death,
      message: sentence,
      detail: detail === '' ? sentence : `${sentence}: ${detail}`,
    });
    this.#destroying ??= this.host.destroy();
    this.#destroying.catch(() => {}); // callers of destroy() get the error
  }

  #end(cause: SandboxDeath): void {
    this.#cause ??= cause;
    this.host.kill();
  }
}
