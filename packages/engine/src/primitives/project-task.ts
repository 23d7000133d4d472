import type { ExecResult } from '@agentclash/sandbox';
import { z } from 'zod';
import { ToolError } from '../tools/tool-error.js';
import { commandResult, environmentShape, runCommand, workingDirectoryShape } from './command.js';
import { definePrimitive, type Primitive, type PrimitiveContext } from './primitive.js';
import { detectProject, type ProjectTask } from './project.js';

const shape = z.strictObject({
  command: z
    .union([z.string().min(1), z.array(z.string()).min(1)])
    .optional()
    .describe('Overrides what the project says: a shell command, or program and arguments.'),
  working_directory: workingDirectoryShape,
  environment: environmentShape,
  timeout_seconds: z.number().positive().max(300).optional().describe('Default 120.'),
});
type Arguments = z.infer<typeof shape>;

/** The primitive that tests, or builds, a project the way its own files say. */
export function projectTask(task: ProjectTask, description: string): Primitive {
  return definePrimitive({
    description,
    shape,
    mainFields: ['stdout', 'stderr'],
    run: async (args, context) => {
      const directory = args.working_directory ?? context.filesystem.working_directory;
      const { framework, argv, mode } = await chosenCommand(task, args, context);
      const options = { ...args, timeout_seconds: args.timeout_seconds ?? 120 };
      const result = await runCommand(argv, options, context);
      const seen = {
        framework,
        mode,
        command: argv,
        working_directory: directory,
        exit_code: result.exitCode,
        stdout: result.stdout.toString(),
        stderr: result.stderr.toString(),
        summary: summaryOf(task, result),
      };
      return commandResult(seen, result);
    },
  });
}

async function chosenCommand(task: ProjectTask, args: Arguments, context: PrimitiveContext) {
  const { command, working_directory } = args;
  if (command === undefined) {
    const directory = working_directory ?? context.filesystem.working_directory;
    return { ...(await detectProject(task, directory, context)), mode: 'detected' };
  }
  if (!context.policy.kinds.has('shell')) {
    throw new ToolError('policy', 'a command of your own needs the shell, which this attempt does not have', {
      origin: 'policy',
      path: '/command',
    });
  }
  return {
    framework: 'custom',
    argv: typeof command === 'string' ? ['sh', '-c', command] : command,
    mode: 'command',
  };
}

function summaryOf(task: ProjectTask, { exitCode, timedOut }: ExecResult): string {
  if (timedOut) return `${task} ran out of time`;
  return exitCode === 0 ? `${task} passed` : `${task} failed with exit code ${exitCode}`;
}
