import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedError } from '../error.js';
import type { Account } from './account.js';

/** Of util-linux, which every distribution with `setpriv` has. */
const FLOCK = '/usr/bin/flock';
/** The exit code where another process holds the lock; no server of ours ends with it. */
const LOCKED = 75;
/** Processes of a server that was killed need a moment to notice it. */
const WAIT_SECONDS = 5;
/** The owner writes; an account that servers run under reads. */
const MODE = 0o644;

export interface LockOptions {
  /** The server in messages. */
  name: string;
  /** Absolute; made where it is absent. */
  dataDir: string;
  /** That of the server; default: the caller's. */
  account?: Account | undefined;
}

/**
 * The lock of a data folder, which its server holds as long as one of its processes lives. Processes of another container
 * have pids and ports of their own: records of pids do not show them, and PostgreSQL's own check does not either.
 */
export class FolderLock {
  private constructor(
    private readonly options: LockOptions,
    /** Undefined where the machine or the file system has no such locks. */
    private readonly file: string | undefined,
  ) {}

  /** Throws `already_running` where another server holds it. */
  static async open(options: LockOptions): Promise<FolderLock> {
    const { dataDir, account } = options;
    if (process.platform !== 'linux' || !existsSync(FLOCK)) return new FolderLock(options, undefined);
    const file = path.join(dataDir, 'server.lock');
    await mkdir(dataDir, { recursive: true });
    if (!existsSync(file)) {
      await writeFile(file, '', { flag: 'a' });
      await chmod(file, MODE);
      if (account) await chown(file, account.uid, account.gid);
    }
    const lock = new FolderLock(options, file);
    const probe = spawn(FLOCK, [...optionsOf(file), 'true'], { stdio: 'ignore' });
    const [code] = (await once(probe, 'exit')) as [number | null];
    if (code === LOCKED) throw lock.failure();
    return code === 0 ? lock : new FolderLock(options, undefined);
  }

  /** The command with the lock: it keeps the pid of the process that starts it, and ends at once where another holds it. */
  around(command: string, args: readonly string[]): [string, string[]] {
    if (this.file === undefined) return [command, [...args]];
    return [FLOCK, [...optionsOf(this.file), command, ...args]];
  }

  /** The error of a server that ended because another holds the lock; undefined for other ends. */
  failureOf({ code }: { code: number | null }): EmbeddedError | undefined {
    return this.file !== undefined && code === LOCKED ? this.failure() : undefined;
  }

  private failure(): EmbeddedError {
    const { name, dataDir } = this.options;
    return new EmbeddedError(
      'already_running',
      `Another ${name}, as of another container, runs on the data in ${dataDir}.`,
      { hint: 'Stop it, or choose another data folder.' },
    );
  }
}

function optionsOf(file: string): string[] {
  const waiting = ['--timeout', String(WAIT_SECONDS), '--conflict-exit-code', String(LOCKED)];
  return ['--exclusive', '--no-fork', ...waiting, file];
}
