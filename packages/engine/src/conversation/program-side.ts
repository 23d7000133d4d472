import type { ProgramConfig } from '@agentclash/attempt-plan';
import type { DriverContext } from '../agents/driver.js';
import { placeProgram, programSandbox, runProgram } from '../agents/program.js';
import type { AgentSide } from './side.js';

/** A program is started anew for every turn, in the sandbox that its earlier turns have left. */
export function programSide(config: ProgramConfig, context: DriverContext): AgentSide {
  const means = { sandbox: programSandbox(context), context };
  return {
    async take({ index, transcript }) {
      // Later its own processes may hold these files.
      if (index === 0) await placeProgram(config, means);
      const task = { ...context.task, transcript: [...transcript] };
      const { end } = await runProgram(config, { task, outputName: `agentclash-output-${index}` }, means);
      return end.because === 'answer' ? { message: end.answer } : { end };
    },
    memory: () => ({ kind: 'program' }),
  };
}
