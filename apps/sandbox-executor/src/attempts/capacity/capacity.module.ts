import { Module } from '@nestjs/common';
import { CpuSlots } from './cpu-slots.js';
import { LiveAttempts } from './live-attempts.js';

/** The attempts in flight and the CPUs that they take, within the limits of this machine. */
@Module({ providers: [CpuSlots, LiveAttempts], exports: [CpuSlots, LiveAttempts] })
export class CapacityModule {}
