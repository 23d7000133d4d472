import { rm } from 'node:fs/promises';
import type { SandboxDeath, SandboxStats } from '../contract.js';
import type { CpuMeter } from '../cpu/limit-clock.js';
import { LEASE_EXIT } from '../inside/lifetime.js';
import type { SessionHost } from '../inside/session.js';
import { isSandboxError, SandboxError, startFailure } from '../sandbox-error.js';
import type { Cgroup } from './cgroup.js';
import type { LiveRecord, LiveRecords } from './live-records.js';
import type { ProcessEnd } from './sandbox-process.js';

interface Running {
  kill(): void;
  /** Resolves when nothing of it runs any more. */
  end(): Promise<void>;
}

interface Held {
  cgroup: Cgroup;
  cpuMeter: CpuMeter & { close?(): void };
  process: Running;
  image: string;
}

/** All that one sandbox holds on the host. */
export class LocalSandbox implements SessionHost {
  #held: Partial<Held> = {};

  constructor(
    private readonly record: LiveRecord,
    private readonly records: LiveRecords,
  ) {}

  get id(): string {
    return this.record.id;
  }

  /** Host uid of its own, where it has one. */
  get uid(): number | undefined {
    return this.record.uid;
  }

  /** Registered at once, so that cleanup is complete when a later step of the creation fails. */
  hold(held: Partial<Held>): void {
    this.#held = { ...this.#held, ...held };
  }

  get cpuMeter(): CpuMeter | undefined {
    return this.#held.cpuMeter;
  }

  async stats(): Promise<SandboxStats> {
    return (await this.#held.cgroup?.stats()) ?? {};
  }

  oomKills(): number | undefined {
    return this.#held.cgroup?.oomKills();
  }

  kill(): void {
    this.#held.process?.kill();
  }

  /** Ends every process in its cgroup. */
  killGroup(): void {
    this.#held.cgroup?.kill();
  }

  /** The uid becomes free only when nothing can run under it any more. */
  async destroy(): Promise<void> {
    try {
      const { process, cgroup, cpuMeter, image } = this.#held;
      await process?.end();
      cpuMeter?.close?.();
      await cgroup?.remove();
      if (image !== undefined) await rm(image, { force: true });
      this.records.release(this.record);
    } catch (cause) {
      throw new SandboxError('unavailable', 'the sandbox could not be cleaned up', { cause });
    }
  }
}

/** `oomKills`: of the processes that the sandbox needs. */
export function deathOf(end: ProcessEnd, oomKills = 0): SandboxDeath {
  if (end.exitCode === LEASE_EXIT) return 'lease_expired';
  return oomKills > 0 ? 'oom' : 'killed';
}

/** Of the process inside; any other cause, such as a full disk, is not the image's. */
const UNUSABLE_ROOT =
  /the root of the image: (Not a directory|File exists|Symbolic link loop|Too many levels.*)/;

/** Why no sandbox came up. The output of the tools goes to the log as the cause, not to agents. */
/** `image`: its reference, where the sandbox has one. */
export function startError(end: ProcessEnd, image?: string): SandboxError {
  const detail = end.stderr.trim() || `exit ${end.exitCode ?? end.signal ?? 'unknown'}`;
  const unusable = image === undefined ? null : /use the image, as it has (.*): Not a directory/.exec(detail);
  if (unusable !== null) {
    const message = `the image ${image} cannot be used: ${unusable[1]} is a link or a file, and must be a directory`;
    return new SandboxError('invalid_image', message, { fix: 'build it with a directory there' });
  }
  const root = image === undefined ? null : UNUSABLE_ROOT.exec(detail);
  if (root !== null) {
    const message = `the image ${image} cannot be used: a directory of the sandbox cannot be made in it (${root[1]})`;
    const fix =
      'build it with directories, and neither links nor files, at the workspace and the home of its user';
    return new SandboxError('invalid_image', message, { fix });
  }
  return startFailure(new Error(detail));
}

/** The cause of a failed start of a sandbox, as the only error that callers handle. */
export function openError(error: unknown): SandboxError {
  const { code = '', stderr = '' } = error as { code?: unknown; stderr?: unknown };
  if (isSandboxError(error) || !/ENOSPC|EDQUOT|No space left|Disk quota/.test(`${code} ${stderr}`)) {
    return startFailure(error);
  }
  const fix = 'free space where sandboxes keep their state';
  return new SandboxError('unavailable', 'there is no space left for sandboxes', { cause: error, fix });
}

export function describeEnd(end: ProcessEnd): string {
  const how = end.signal ? `signal ${end.signal}` : `exit ${end.exitCode}`;
  const detail = end.stderr.trim();
  return detail === '' ? how : `${how}, ${detail}`;
}
