import type { AuditedPack } from '../pack/audited-pack.js';
import type { PlannedTrial } from '../planning/tasks.js';
import { planOf } from './plan-of.js';
import type { TrialPorts } from './ports.js';
import { runTrial, type Trial, type TrialResult, unplannedResult } from './trial.js';

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
  async runAll(trials: readonly Trial[]): Promise<(TrialResult | undefined)[]> {
    return await Promise.all(trials.map((trial) => this.run(trial)));
  }

  /** Undefined where the role does not apply to the case. */
  async run(trial: Trial): Promise<TrialResult | undefined> {
    await this.acquire();
    try {
      this.options.ports.signal.throwIfAborted();
      const { planned, problem } = await planOf(trial, this.pack, this.options.ports);
      const result = problem ? unplannedResult(problem) : planned && (await this.inTurn(trial, planned));
      this.options.onTrial?.();
      return result;
    } finally {
      this.release();
    }
  }

  private async inTurn({ case: each }: Trial, planned: PlannedTrial): Promise<TrialResult> {
    const { ports } = this.options;
    const end = await ports.takeTrial?.(ports.signal);
    try {
      ports.signal.throwIfAborted();
      for (let tries = 1; ; tries++) {
        const result = await runTrial(planned, { case: each, pack: this.pack, ports });
        const isOurs = result.outcome === 'infra_error' || (result.points === null && result.error !== null);
        if (!isOurs || tries === TRIES) return result;
      }
    } finally {
      end?.();
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
