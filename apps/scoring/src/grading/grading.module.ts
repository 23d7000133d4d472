import { Module } from '@nestjs/common';
import { GRADING_TIMES, Grader, ScoringThreads } from './grader.js';

@Module({
  providers: [
    {
      provide: Grader,
      useFactory: ({ threads, memoryMib }: ScoringThreads) =>
        new Grader({ ...GRADING_TIMES, threads, memoryMib }),
      inject: [ScoringThreads],
    },
  ],
  exports: [Grader],
})
export class GradingModule {}
