import { z } from 'zod';
import { commandResult, environmentShape, runCommand, workingDirectoryShape } from './command.js';
import { definePrimitive } from './primitive.js';

export const exec = definePrimitive({
  description: 'Run a program in the sandbox, without a shell around it.',
  shape: z.strictObject({
    command: z.array(z.string()).min(1).describe('Program and arguments, such as ["python3", "main.py"].'),
    working_directory: workingDirectoryShape,
    environment: environmentShape,
    timeout_seconds: z.number().positive().optional().describe('Default 120.'),
  }),
  mainFields: ['stdout', 'stderr'],
  run: async ({ command, timeout_seconds = 120, ...options }, context) => {
    const result = await runCommand(command, { ...options, timeout_seconds }, context);
    const seen = {
      exit_code: result.exitCode,
      timed_out: result.timedOut,
      stdout: result.stdout.toString(),
      stderr: result.stderr.toString(),
    };
    return commandResult(seen, result);
  },
});
