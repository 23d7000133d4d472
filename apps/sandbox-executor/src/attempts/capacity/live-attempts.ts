import { AttemptEnded } from '@agentclash/engine';
import { metrics } from '@agentclash/service-kit';
import { Semaphore } from '@agentclash/threads';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { MACHINE, type Machine } from '../../machine/machine.js';

/** The attempts that this executor is driving right now. */
@Injectable()
export class LiveAttempts implements OnModuleInit, OnModuleDestroy {
  /** Permits for running attempts. */
  readonly permits: Semaphore;
  private readonly works = new Map<AbortController, string>();
  private hasStopped = false;
  private unmeasure: (() => void) | undefined;

  constructor(@Inject(MACHINE) machine: Pick<Machine, 'attemptsMax'>) {
    this.permits = new Semaphore(machine.attemptsMax);
  }

  onModuleInit(): void {
    const read = () => [{ labels: {}, value: this.works.size }];
    this.unmeasure = metrics.gauge('agentclash_attempts_in_flight', read);
  }

  onModuleDestroy(): void {
    this.unmeasure?.();
  }

  /** True when all work is being ended and none is begun. */
  get isStopping(): boolean {
    return this.hasStopped;
  }

  /** Opens an attempt's work; it starts aborted when the executor is stopping. */
  begin(runId: string): AbortController {
    const work = new AbortController();
    this.works.set(work, runId);
    if (this.hasStopped) work.abort(executorStopped());
    return work;
  }

  end(work: AbortController): void {
    this.works.delete(work);
  }

  /** Ends every attempt of a run that a user cancelled. */
  cancelRun(runId: string): void {
    for (const [work, of] of this.works) if (of === runId) work.abort();
  }

  /** Ends all, retryably: another executor takes them over. */
  stopAll(): void {
    this.hasStopped = true;
    for (const work of this.works.keys()) work.abort(executorStopped());
  }
}

function executorStopped(): AttemptEnded {
  return new AttemptEnded({
    because: 'infra',
    code: 'executor_stopped',
    message: 'the executor was stopped',
  });
}
