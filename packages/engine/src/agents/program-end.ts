import type { AttemptEnd } from '../attempt/outcome.js';

/** How a program's process ended; `oom` when it was killed for memory. */
export interface ProgramExit {
  exitCode: number;
  signal?: string;
  oom: boolean;
}

/** The end that a program's exit means. A silent success is an answer: the program may have worked in files only. */
export function endOfProgram(exit: ProgramExit, output: string): AttemptEnd {
  if (exit.oom) return { because: 'limit', limit: 'memory' };
  if (exit.signal !== undefined) {
    return { because: 'agent_error', code: 'signal', message: `the program died of ${exit.signal}` };
  }
  if (exit.exitCode !== 0) {
    return {
      because: 'agent_error',
      code: 'exit_nonzero',
      message: `the program exited with ${exit.exitCode}`,
    };
  }
  return { because: 'answer', finishedBy: 'program', answer: output };
}
