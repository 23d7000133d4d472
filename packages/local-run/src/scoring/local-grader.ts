import { availableParallelism } from 'node:os';
import { GRADING_TIMES, Grader } from '@agentclash/run-scoring';

const GRADING_THREAD_MIB = 256;

/** A grader of this process, whose first thread starts at once. */
export function openGrader(): Grader {
  const grader = new Grader({
    ...GRADING_TIMES,
    threads: Math.max(1, availableParallelism() - 1),
    memoryMib: GRADING_THREAD_MIB,
  });
  grader.warm();
  return grader;
}
