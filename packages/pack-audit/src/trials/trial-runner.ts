import type { AuditedPack } from '../pack/audited-pack.js';
import type { TrialPorts } from './ports.js';
import { runTrial, type Trial, type TrialResult } from './trial.js';

/** An attempt that the platform failed is tried once more. */
const TRIES = 2;

export interface TrialRunnerOptions {
  ports: TrialPorts;
  /** Trials that may be under way at once. */
  concurrency: number;
  /** Called as each trial ends. */
  onTrial?: () => void;
}

/** Runs the trials of one audit, so many at once. */
export class TrialRunner {
  private active = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly pack: AuditedPack,
    private readonly options: TrialRunnerOptions,
  ) {}

  /** In the order of `trials`. Rejects with the reason of an aborted signal, and for bugs alone. */
  async runAll(trials: readonly Trial[]): Promise<TrialResult[]> {
    return await Promise.all(trials.map((trial) => this.run(trial)));
  }

  async run(trial: Trial): Promise<TrialResult> {
    const { ports, onTrial } = this.options;
    await this.acquire();
    try {
      const end = await ports.takeTrial?.(ports.signal);
      try {
        ports.signal.throwIfAborted();
        const result = await this.retried(trial);
        onTrial?.();
        return result;
      } finally {
        end?.();
      }
    } finally {
      this.release();
    }
  }

  private async retried(trial: Trial): Promise<TrialResult> {
    for (let tries = 1; ; tries++) {
      const result = await runTrial(trial, this.pack, this.options.ports);
      const isOurs = result.outcome === 'infra_error' || (result.points === null && result.error !== null);
      if (!isOurs || tries === TRIES) return result;
    }
  }

  private async acquire(): Promise<void> {
    if (this.active < this.options.concurrency) {
      this.active++;
      return;
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.active--;
  }
}
