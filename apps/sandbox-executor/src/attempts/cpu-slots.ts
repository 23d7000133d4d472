import { metrics, secondsSince } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { MACHINE, type Machine } from './machine.js';

interface Waiting {
  cpu: number;
  enter: () => void;
}

/**
 * CPUs of this executor's machine, for phases that use nothing else, such as tests of a verifier: a semaphore that
 * serves in the order of arrival.
 */
@Injectable()
export class CpuSlots {
  private taken = 0;
  private readonly waiting: Waiting[] = [];

  constructor(@Inject(MACHINE) private readonly machine: Pick<Machine, 'cpuSlots'>) {}

  /**
   * Waits until so many CPUs are free (rounded up, at least one, at most all) and returns what releases them. An aborted signal ends
   * the wait, and nothing is taken.
   */
  async take(cpu: number, signal: AbortSignal): Promise<() => void> {
    const asked = Math.min(Math.max(1, Math.ceil(cpu)), this.machine.cpuSlots);
    const startedAt = performance.now();
    const release = await this.enter(asked, signal);
    metrics.observe('agentclash_cpu_slot_wait_seconds', {}, secondsSince(startedAt));
    return release;
  }

  private async enter(cpu: number, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) return () => {};
    return await new Promise<() => void>((resolve) => {
      const entry = { cpu, enter: () => resolve(this.releaseOf(cpu)) };
      this.waiting.push(entry);
      const giveUp = () => {
        const index = this.waiting.indexOf(entry);
        if (index < 0) return;
        this.waiting.splice(index, 1);
        resolve(() => {});
        this.admit();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.admit();
    });
  }

  /** In order: one that needs much is not passed for ever by those that need little. */
  private admit(): void {
    for (let next = this.waiting[0]; next && this.fits(next); next = this.waiting[0]) {
      this.waiting.shift();
      this.taken += next.cpu;
      next.enter();
    }
  }

  private fits({ cpu }: Waiting): boolean {
    return this.taken === 0 || this.taken + cpu <= this.machine.cpuSlots;
  }

  private releaseOf(cpu: number): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.taken -= cpu;
      this.admit();
    };
  }
}
