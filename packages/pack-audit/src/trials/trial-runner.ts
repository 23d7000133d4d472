import { Semaphore } from '@agentclash/threads';
import type { AuditedPack } from '../pack/audited-pack.js';
import type { PlannedTrial } from '../planning/tasks.js';
import type { Pace } from './pace.js';
import { planOf } from './plan-of.js';
import type { TrialPorts } from './ports.js';
import { runTrial, type Trial, type TrialResult, unplannedResult } from './trial.js';

/** An attempt that the platform failed is tried once more. */
const TRIES = 2;

export interface TrialRunnerOptions {
  ports: TrialPorts;
  /** Trials that may be under way at once. */
  concurrency: number;
  /** Lets other trials begin beside those whose grading hangs. Default: they wait. */
  pace?: Pace;
  /** Called as each trial ends. */
  onTrial?: () => void;
}

/** Runs the trials of one audit, so many at once. */
export class TrialRunner {
  private readonly slots: Semaphore;

  constructor(
    private readonly pack: AuditedPack,
    private readonly options: TrialRunnerOptions,
  ) {
    this.slots = new Semaphore(options.concurrency);
  }

  /** In the order of `trials`. Rejects with the reason of an aborted signal, and for bugs alone. */
  async runAll(trials: readonly Trial[]): Promise<(TrialResult | undefined)[]> {
    return await Promise.all(trials.map((trial) => this.run(trial)));
  }

  /** Undefined where the role does not apply to the case. */
  async run(trial: Trial): Promise<TrialResult | undefined> {
    const release = await this.slots.acquire();
    try {
      this.options.ports.signal.throwIfAborted();
      const { planned, problem } = await planOf(trial, this.pack, this.options.ports);
      const result = problem
        ? unplannedResult(problem)
        : planned && (await this.inTurn(trial, planned, release));
      this.options.onTrial?.();
      return result;
    } finally {
      release();
    }
  }

  private async inTurn(
    { case: each }: Trial,
    planned: PlannedTrial,
    release: () => void,
  ): Promise<TrialResult> {
    const { ports, pace } = this.options;
    // On a machine that is shared with attempts, a trial keeps its turn and its CPUs.
    const isPaced = pace !== undefined && ports.takeTrial === undefined;
    const onGrading = (releaseCpu: () => void) =>
      pace?.begin(() => {
        releaseCpu();
        release();
      }) ?? (() => {});
    const end = await ports.takeTrial?.(ports.signal);
    try {
      ports.signal.throwIfAborted();
      for (let tries = 1; ; tries++) {
        const result = await runTrial(planned, {
          ...{ case: each, pack: this.pack, ports },
          ...(isPaced && { onGrading }),
        });
        const isOurs = result.outcome === 'infra_error' || (result.points === null && result.error !== null);
        // One that lacked a CPU has waited for many times its limit, and would again.
        const isStarved = result.error?.code === 'cpu_starved';
        if (!isOurs || isStarved || tries === TRIES) return result;
      }
    } finally {
      end?.();
    }
  }
}
