import { Module } from '@nestjs/common';
import { LiveAttempts } from './live-attempts.js';
import { CpuSlots } from './semaphore.js';

/** The attempts in flight and the CPUs that they take, within the limits of this machine. */
@Module({ providers: [CpuSlots, LiveAttempts], exports: [CpuSlots, LiveAttempts] })
export class CapacityModule {}
