import { setTimeout as delay } from 'node:timers/promises';

/** A process of the stack. */
export interface Running {
  /** Settles when it ends, for whatever reason. */
  exited: Promise<unknown>;
  /** Ends it in order. Safe to call again. */
  stop(): Promise<void>;
}

export interface SupervisionOptions<T> {
  /** How messages call it. */
  name: string;
  /** Starts it; where it is started again, in the place of the one before. */
  start: (before?: T) => Promise<T>;
  log: (line: string) => void;
  /** How often it is started again within ten minutes. Default 5; with 0 its first end is its last. */
  restartsMax?: number | undefined;
}

const RESTARTS_MAX = 5;
const RESTARTS_WITHIN_MS = 600_000;
const PAUSE_MS = 500;

/** The supervisor of a process: starts it again when it ends without a stop request. */
export class SupervisedProcess<T extends Running> {
  /** Settles with the name when it ended and is not started again. */
  readonly lost: Promise<string>;
  private readonly restartedAt: number[] = [];
  private starting: Promise<boolean> | undefined;
  private isStopping = false;

  private constructor(
    private process: T,
    private readonly options: SupervisionOptions<T>,
  ) {
    this.lost = new Promise((resolve) => {
      void this.keep().then((isLost) => isLost && resolve(options.name));
    });
  }

  /** Fails as its first start does. */
  static async start<T extends Running>(options: SupervisionOptions<T>): Promise<SupervisedProcess<T>> {
    return new SupervisedProcess(await options.start(), options);
  }

  /** The one that runs, or ran last. */
  get current(): T {
    return this.process;
  }

  /** Ends it, and one that is just being started. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.starting;
    await this.process.stop();
  }

  /** True when it was lost, once it is not kept any more. */
  private async keep(): Promise<boolean> {
    for (;;) {
      await this.process.exited;
      if (this.isStopping) return false;
      this.options.log(`${this.options.name} ended unexpectedly`);
      this.starting = this.startAgain();
      if (!(await this.starting)) return !this.isStopping;
    }
  }

  private async startAgain(): Promise<boolean> {
    const { name, start, log } = this.options;
    while (!this.isStopping && this.takeRestart()) {
      try {
        this.process = await start(this.process);
        log(`${name} was started again`);
        return true;
      } catch (error) {
        log(`${name} could not be started again: ${error instanceof Error ? error.message : String(error)}`);
        await delay(PAUSE_MS);
      }
    }
    return false;
  }

  private takeRestart(): boolean {
    const now = Date.now();
    const recent = this.restartedAt.filter((at) => now - at < RESTARTS_WITHIN_MS);
    this.restartedAt.splice(0, Number.POSITIVE_INFINITY, ...recent, now);
    return recent.length < (this.options.restartsMax ?? RESTARTS_MAX);
  }
}
