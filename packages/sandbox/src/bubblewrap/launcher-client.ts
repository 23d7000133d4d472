import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { SandboxError } from '../sandbox-error.js';
import { LauncherService } from './launcher-service.js';
import { identityOf, isAlive } from './live-records.js';
import type { SandboxProcess } from './sandbox-process.js';

const SOCKET_NAME = /^(\d+)-(\d+)-[0-9a-f]+$/;

/**
 * Starts sandboxes from a small process: a large one, such as a service with all its memory, would have to copy its
 * page tables for each. That process is started when it is needed, and again when it was killed.
 */
export class LauncherClient {
  #service: Promise<LauncherService> | undefined;
  #isClosed = false;

  /** `directory`: of the sockets; no other user may reach into it. */
  constructor(
    private readonly launcher: string,
    private readonly directory: string,
  ) {}

  /** `kill`: ends what the first process is not enough for. Throws `unavailable` when the launcher cannot be started. */
  async launch(args: readonly string[], kill?: () => void): Promise<SandboxProcess> {
    if (this.#isClosed) throw new SandboxError('unavailable', 'the sandbox provider is closed');
    this.#service ??= this.#start();
    const service = await this.#service;
    return service.launch(args, kill);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#service?.then(
      (service) => service.close(),
      () => {},
    );
  }

  async #start(): Promise<LauncherService> {
    const self = identityOf(process.pid);
    const name = `${process.pid}-${self?.startTicks ?? 0}-${randomBytes(4).toString('hex')}`;
    const forget = () => {
      this.#service = undefined;
    };
    try {
      const service = await LauncherService.start(this.launcher, path.join(this.directory, name));
      void service.ended.then(forget);
      return service;
    } catch (error) {
      forget();
      throw error;
    }
  }
}

/** Removes the sockets of processes that were killed together with their launcher. */
export async function sweepSockets(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, pid, startTicks] = SOCKET_NAME.exec(name) ?? [];
    if (pid === undefined || startTicks === undefined) continue;
    if (!isAlive({ pid: Number(pid), startTicks })) await rm(path.join(directory, name), { force: true });
  }
}
