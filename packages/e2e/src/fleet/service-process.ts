import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { repository } from '../product.js';

export interface ServiceProcessOptions {
  /** A folder below `apps`. */
  service: string;
  environment: Readonly<Record<string, string>>;
  /** Takes every line that it prints. */
  log: string;
}

/** A process that ended by itself is started again after so long. */
const RESTART_AFTER_MS = 500;

/** One service as a process of its own, kept alive as a cluster would: started again whenever it ends unasked. */
export class ServiceProcess {
  /** Of all processes it ever was. */
  readonly pids: number[] = [];
  private child: ChildProcess | undefined;
  private shouldRun = false;

  constructor(private readonly options: ServiceProcessOptions) {}

  get pid(): number {
    return this.pids.at(-1) ?? 0;
  }

  /** Resolves when the service has logged its start; until then it is tried again and again. */
  async start(): Promise<void> {
    this.shouldRun = true;
    while (this.shouldRun && !(await this.launch())) await delay(RESTART_AFTER_MS);
  }

  /** Kills the process and leaves it dead. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Ends the process in order. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  private async restart(): Promise<void> {
    await delay(RESTART_AFTER_MS);
    if (this.shouldRun) await this.start();
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    this.shouldRun = false;
    const { child } = this;
    if (child === undefined || hasEnded(child)) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  /** False when it ended before it was ready. */
  private launch(): Promise<boolean> {
    const { service, environment, log } = this.options;
    const child = spawn(process.execPath, [path.join(repository, 'apps', service, 'dist/main.js')], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    if (child.pid !== undefined) this.pids.push(child.pid);
    const file = createWriteStream(log, { flags: 'a' });
    child.stderr.pipe(file, { end: false });
    child.once('close', () => file.end());
    return new Promise((resolve) => {
      let isReady = false;
      child.once('exit', () => {
        resolve(false);
        if (isReady && this.shouldRun) void this.restart();
      });
      createInterface({ input: child.stdout }).on('line', (line) => {
        file.write(`${line}\n`);
        if (!line.includes('"msg":"service started"')) return;
        isReady = true;
        resolve(true);
      });
    });
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
