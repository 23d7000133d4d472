import { metrics, secondsSince } from '@agentclash/service-kit';
import { Semaphore } from '@agentclash/threads';
import { Inject, Injectable } from '@nestjs/common';
import { MACHINE, type Machine } from '../../machine/machine.js';

/** CPUs of this executor's machine, for phases that use nothing else, such as tests of a verifier. */
@Injectable()
export class CpuSlots {
  private readonly slots: Semaphore;

  constructor(@Inject(MACHINE) machine: Pick<Machine, 'cpuSlots'>) {
    this.slots = new Semaphore(machine.cpuSlots);
  }

  /**
   * Waits until so many CPUs are free (rounded up, at least one, at most all) and returns what releases them. An
   * aborted signal ends the wait, and nothing is taken.
   */
  async take(cpu: number, signal: AbortSignal): Promise<() => void> {
    const startedAt = performance.now();
    const release = await this.slots.acquire({ permits: Math.max(1, Math.ceil(cpu)), signal });
    metrics.observe('agentclash_cpu_slot_wait_seconds', {}, secondsSince(startedAt));
    return release;
  }
}
