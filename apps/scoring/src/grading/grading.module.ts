import { GRADING_TIMES, Grader } from '@agentclash/run-scoring';
import { Module, type OnApplicationShutdown } from '@nestjs/common';

/** The threads that score, and the memory of each. */
export class ScoringThreads {
  constructor(
    readonly threads: number,
    readonly memoryMib: number,
  ) {}
}

class ServiceGrader extends Grader implements OnApplicationShutdown {
  async onApplicationShutdown(): Promise<void> {
    await this.stop();
  }
}

@Module({
  providers: [
    {
      provide: Grader,
      useFactory: ({ threads, memoryMib }: ScoringThreads) =>
        new ServiceGrader({ ...GRADING_TIMES, threads, memoryMib }),
      inject: [ScoringThreads],
    },
  ],
  exports: [Grader],
})
export class GradingModule {}
