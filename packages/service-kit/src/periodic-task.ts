import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { LogFields, Logger } from './telemetry/logging.js';

export interface PeriodicTaskOptions {
  /** The work of one run. The signal is aborted at shutdown, which waits for the run. */
  run: (signal: AbortSignal) => Promise<unknown>;
  /** Pause between the end of a run and the start of the next. A function is called after every run. */
  everyMs: number | (() => number);
  /**
   * `delayed` (default): one interval after the start; `immediate`: at the start; `awaited`: the service listens
   * after it.
   */
  firstRun?: 'delayed' | 'immediate' | 'awaited';
  /** Logged as a warning, with the error and `fields`, when a run fails; the next run comes after the interval. */
  failureMessage: string;
  fields?: LogFields;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Periodic work of a service, as a Nest provider: starts with the application, never runs twice at once, and at shutdown
 * awaits the run in progress, while bus and database are still open.
 */
export class PeriodicTask implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isWoken = false;
  private readonly stopping = new AbortController();

  constructor(private readonly options: PeriodicTaskOptions) {}

  async onApplicationBootstrap(): Promise<void> {
    const { firstRun = 'delayed' } = this.options;
    if (firstRun === 'delayed') this.schedule();
    else this.start();
    if (firstRun === 'awaited') await this.running;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  /** Runs now, or once more after the run in progress. */
  wake(): void {
    this.start();
  }

  /** Starts no further run, aborts the signal of the one in progress and awaits it. Idempotent. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private start(): void {
    if (this.stopping.signal.aborted) return;
    if (this.running !== undefined) {
      this.isWoken = true;
      return;
    }
    clearTimeout(this.timer);
    this.isWoken = false;
    this.running = this.runOnce().finally(() => {
      this.running = undefined;
      if (this.isWoken) this.start();
      else this.schedule();
    });
  }

  private async runOnce(): Promise<void> {
    const { run, failureMessage, fields, logger } = this.options;
    const { signal } = this.stopping;
    try {
      await run(signal);
    } catch (err) {
      if (!signal.aborted) logger.warn({ ...fields, err }, failureMessage);
    }
  }

  private schedule(): void {
    if (this.stopping.signal.aborted) return;
    const { everyMs } = this.options;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.start(), typeof everyMs === 'function' ? everyMs() : everyMs).unref();
  }
}
