import { escapeSegment } from '@agentclash/attempt-plan';
import type { JsonObject } from '@agentclash/challengepack';
import type { ExecResult } from '@agentclash/sandbox';
import { z } from 'zod';
import { ToolError } from '../outcome/tool-error.js';
import { definePrimitive, type PrimitiveContext } from './primitive.js';

export const environmentShape = z
  .record(z.string(), z.string())
  .optional()
  .describe('Variables added for this command; values are literal.');
export const workingDirectoryShape = z.string().optional().describe('Default: the working directory.');

export interface CommandArguments {
  working_directory?: string;
  environment?: Record<string, string>;
  timeout_seconds: number;
}

/** Runs a command for the agent within the time that the attempt has left. */
export function runCommand(
  argv: readonly string[],
  { working_directory, environment = {}, timeout_seconds }: CommandArguments,
  { sandbox, filesystem, remainingMs }: PrimitiveContext,
): Promise<ExecResult> {
  checkEnvironment(environment);
  return sandbox.exec(argv, {
    cwd: working_directory ?? filesystem.working_directory,
    roots: filesystem.readable_roots,
    env: environment,
    timeoutMs: Math.max(1, Math.min(timeout_seconds * 1_000, remainingMs())),
  });
}

/** The result of a command for the agent; a failed command is a ToolError with the same members. */
export function commandResult<R extends JsonObject>(result: R, exec: ExecResult): R {
  if (exec.timedOut) throw new ToolError('timeout', 'the command timed out', { result });
  if (exec.signal !== undefined) {
    throw new ToolError('signal', `the command was ended by ${exec.signal}`, { result });
  }
  if (exec.exitCode !== 0) {
    throw new ToolError('exit_nonzero', `the command exited with ${exec.exitCode}`, { result });
  }
  return result;
}

function checkEnvironment(environment: Record<string, string>): void {
  for (const name of Object.keys(environment)) {
    if (name.startsWith('AGENTCLASH_')) refuse(name, 'names that begin with AGENTCLASH_ are reserved');
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) refuse(name, 'this is not a valid variable name');
  }
}

function refuse(name: string, message: string): never {
  throw new ToolError('arguments', message, { path: `/environment/${escapeSegment(name)}` });
}

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
