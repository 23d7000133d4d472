import { randomUUID } from 'node:crypto';
import type { SandboxOrigin } from '@agentclash/domain';
import {
  type ExecOptions,
  type ExecResult,
  type FileContent,
  type FileListing,
  type FileScope,
  type FileStat,
  type FileWritten,
  isSandboxError,
  type ListOptions,
  type ReadOptions,
  type SandboxSession,
  type WriteOptions,
} from '@agentclash/sandbox';
import type { Clock } from '../clock.js';
import type { AttemptEvents } from '../events/attempt-events.js';
import {
  AttemptEnded,
  CPU_STARVED,
  deathOf,
  endOfDeadSandbox,
  unlessAborted,
} from '../outcome/attempt-end.js';
import { ToolError } from '../outcome/tool-error.js';

export interface AttemptSandboxOptions {
  session: SandboxSession;
  events: AttemptEvents;
  clock: Clock;
  /** Ends all operations; callers are rejected with its reason. */
  signal: AbortSignal;
  /** The component that uses the sandbox, as events record it. */
  origin: SandboxOrigin;
  /** The directory of commands that name none. */
  workingDirectory: string;
  /** Receives the time in which commands were starved of CPU, as it is measured. */
  excludeStarved: (ms: number) => void;
  /** Called when a command begins, whose own clock measures its time; what it returns when that ends. */
  beginCommand?: (() => () => void) | undefined;
  /** The maximum extension of a command's limit by starvation, as a multiple of the limit. */
  starvationMax: number;
}

export type CommandOptions = Omit<ExecOptions, 'signal' | 'timeoutMs' | 'starvedMsMax' | 'onStarved'> & {
  timeoutMs: number;
  /** Kills the command and its descendants; the call rejects with the signal's reason. */
  stop?: AbortSignal;
};

/** The end of a command that its user in the platform has stopped. */
const STOPPED = { code: 'stopped', message: 'the command was ended' };

/** Bytes of each stream that a command's event shows. */
export const TAIL_BYTES = 4 * 1024;

/**
 * A sandbox as one attempt uses it: every use is an event, an error of the agent's making is a ToolError, and a dead
 * sandbox ends the attempt (AttemptEnded) whatever its last call claimed.
 */
export class AttemptSandbox {
  constructor(private readonly options: AttemptSandboxOptions) {}

  /** The same sandbox, used on behalf of another. */
  for(origin: SandboxOrigin): AttemptSandbox {
    return new AttemptSandbox({ ...this.options, origin });
  }

  async exec(argv: readonly string[], options: CommandOptions): Promise<ExecResult> {
    const { events, session, origin, signal, workingDirectory } = this.options;
    const command_id = randomUUID();
    const { timeoutMs, stop, cwd = workingDirectory } = options;
    const timeout_ms = Math.floor(timeoutMs);
    events.record('sandbox.command.started', { command_id, argv: [...argv], cwd, timeout_ms, origin });
    const endCommand = this.options.beginCommand?.();
    try {
      const limits = {
        signal: stop ? AbortSignal.any([signal, stop]) : signal,
        starvedMsMax: timeoutMs * this.options.starvationMax,
        onStarved: this.excluder(),
      };
      const passed = new PassedOutput(options);
      const result = await this.guarded(session.exec(argv, { ...options, ...passed.listeners, ...limits }));
      events.record('sandbox.command.completed', completed(command_id, result, passed));
      return result;
    } catch (error) {
      if (error instanceof ToolError) {
        events.record('sandbox.command.failed', { command_id, code: error.code, message: error.message });
      } else if (stop?.aborted && !signal.aborted) {
        events.record('sandbox.command.failed', { command_id, ...STOPPED });
      }
      throw error;
    } finally {
      endCommand?.();
    }
  }

  /** Receives the total starvation of one command repeatedly, and reports each increase. */
  private excluder(): (starvedMs: number) => void {
    let knownMs = 0;
    return (starvedMs) => {
      this.options.excludeStarved(starvedMs - knownMs);
      knownMs = starvedMs;
    };
  }

  async readFile(path: string, options?: ReadOptions): Promise<FileContent> {
    const content = await this.guarded(this.options.session.readFile(path, options));
    const { origin, events } = this.options;
    events.record('sandbox.file.read', { path: content.path, bytes: content.data.length, origin });
    return content;
  }

  /** Reads a file on the way to something else, such as a search: no event of its own. */
  scanFile(path: string, options?: ReadOptions): Promise<FileContent> {
    return this.guarded(this.options.session.readFile(path, options));
  }

  async writeFile(path: string, data: string | Uint8Array, options?: WriteOptions): Promise<FileWritten> {
    const written = await this.guarded(this.options.session.writeFile(path, data, options));
    const { origin, events } = this.options;
    events.record('sandbox.file.written', { path: written.path, bytes: written.bytes, origin });
    return written;
  }

  async list(prefix: string, options?: ListOptions): Promise<FileListing> {
    const listing = await this.guarded(this.options.session.list(prefix, options));
    const { origin, events } = this.options;
    events.record('sandbox.file.listed', { path: listing.path, entries: listing.entries.length, origin });
    return listing;
  }

  /** Removes a file, link or tree; a link at the end is not followed, and absent is fine. */
  remove(path: string, scope?: FileScope): Promise<void> {
    return this.guarded(this.options.session.remove(path, scope));
  }

  stat(path: string, scope?: FileScope): Promise<FileStat> {
    return this.guarded(this.options.session.stat(path, scope));
  }

  private async guarded<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.options;
    try {
      return await unlessAborted(work, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw await this.judge(error);
    }
  }

  /** The death of a sandbox takes precedence over the error of its last call. */
  private async judge(error: unknown): Promise<unknown> {
    if (!isSandboxError(error)) return error;
    if (error.code === 'cpu_starved') return new AttemptEnded(CPU_STARVED);
    const { session, signal } = this.options;
    try {
      await unlessAborted(session.ping(), signal);
    } catch (probe) {
      signal.throwIfAborted();
      return new AttemptEnded(endOfDeadSandbox(deathOf(isSandboxError(probe) ? probe : error)));
    }
    return new ToolError(error.code, error.message);
  }
}

/** Counts the output of a command; its result may keep only the end. */
class PassedOutput {
  stdout = 0;
  stderr = 0;

  constructor(private readonly options: Pick<ExecOptions, 'onStdout' | 'onStderr'>) {}

  readonly listeners = {
    onStdout: (chunk: Uint8Array): void => {
      this.stdout += chunk.length;
      this.options.onStdout?.(chunk);
    },
    onStderr: (chunk: Uint8Array): void => {
      this.stderr += chunk.length;
      this.options.onStderr?.(chunk);
    },
  };
}

function completed(command_id: string, result: ExecResult, passed: PassedOutput) {
  return {
    command_id,
    exit_code: result.signal === undefined ? result.exitCode : null,
    ...(result.signal !== undefined && { signal: result.signal }),
    timed_out: result.timedOut,
    oom: result.oomKilled,
    stdout_bytes: passed.stdout,
    stderr_bytes: passed.stderr,
    stdout_tail: tailText(result.stdout, TAIL_BYTES),
    stderr_tail: tailText(result.stderr, TAIL_BYTES),
    duration_ms: Math.round(result.durationMs),
    ...starvedField(result),
  };
}

/** For events: absent where it is 0 or unknown. */
export function starvedField({ starvedMs = 0 }: Pick<ExecResult, 'starvedMs'>): { starved_ms?: number } {
  const starved_ms = Math.round(starvedMs);
  return starved_ms > 0 ? { starved_ms } : {};
}

/**
 * The last `bytesMax` bytes of an output as text, cut between characters. Bytes that are no UTF-8 become U+FFFD; the
 * text as a whole is no longer than `bytesMax` bytes even so.
 */
export function tailText(bytes: Uint8Array, bytesMax: number): string {
  let start = Math.max(0, bytes.length - bytesMax);
  while (start > 0 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  const text = new TextDecoder().decode(bytes.subarray(start));
  return Buffer.byteLength(text) <= bytesMax ? text : tailText(Buffer.from(text), bytesMax);
}
