import { isJsonObject, type JsonValue, ownMember } from '@agentclash/challengepack';
import type { ExecResult } from '@agentclash/sandbox';
import { z } from 'zod';
import { ToolError } from '../outcome/tool-error.js';
import { commandResult, environmentShape, runCommand, workingDirectoryShape } from './command.js';
import { definePrimitive, type Primitive, type PrimitiveContext } from './primitive.js';

const shape = z.strictObject({
  command: z
    .union([z.string().min(1), z.array(z.string()).min(1)])
    .optional()
    .describe('Overrides the command of the project: a shell command, or program and arguments.'),
  working_directory: workingDirectoryShape,
  environment: environmentShape,
  timeout_seconds: z.number().positive().max(300).optional().describe('Default 120.'),
});
type Arguments = z.infer<typeof shape>;

/** The primitive that tests, or builds, a project as its own files define. */
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
    throw new ToolError(
      'policy',
      'a custom command needs the shell, which the policy of this attempt does not allow',
      {
        origin: 'policy',
        path: '/command',
      },
    );
  }
  return {
    framework: 'custom',
    argv: typeof command === 'string' ? ['sh', '-c', command] : command,
    mode: 'command',
  };
}

function summaryOf(task: ProjectTask, { exitCode, timedOut }: ExecResult): string {
  if (timedOut) return `${task} timed out`;
  return exitCode === 0 ? `${task} passed` : `${task} failed with exit code ${exitCode}`;
}

export type ProjectTask = 'test' | 'build';

interface ProjectCommand {
  framework: string;
  argv: string[];
}

interface Framework {
  name: string;
  /** The file that identifies it. */
  marker: string;
  commands: Record<ProjectTask, string[]>;
  /** True when the marker's text offers the task; default: always. */
  offers?: (text: string, task: ProjectTask) => boolean;
}

/** In the order in which they are looked for. */
const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'npm',
    marker: 'package.json',
    commands: { test: ['npm', 'run', 'test'], build: ['npm', 'run', 'build'] },
    offers: hasScript,
  },
  {
    name: 'go',
    marker: 'go.mod',
    commands: { test: ['go', 'test', './...'], build: ['go', 'build', './...'] },
  },
  {
    name: 'cargo',
    marker: 'Cargo.toml',
    commands: { test: ['cargo', 'test'], build: ['cargo', 'build'] },
  },
  {
    name: 'python',
    marker: 'pyproject.toml',
    commands: {
      test: ['python3', '-m', 'unittest', 'discover'],
      build: ['python3', '-m', 'compileall', '-q', '.'],
    },
  },
  { name: 'make', marker: 'Makefile', commands: { test: ['make', 'test'], build: ['make'] } },
];

/** The command that tests or builds the project of a directory. Throws ToolError when no file defines one. */
async function detectProject(
  task: ProjectTask,
  directory: string,
  context: PrimitiveContext,
): Promise<ProjectCommand> {
  for (const { name, marker, commands, offers = () => true } of FRAMEWORKS) {
    const text = await textOf(`${directory}/${marker}`, context);
    if (text !== undefined && offers(text, task)) return { framework: name, argv: commands[task] };
  }
  throw new ToolError('not_found', `no file in this directory defines how to ${task} it`);
}

async function textOf(path: string, { sandbox, filesystem }: PrimitiveContext): Promise<string | undefined> {
  try {
    const { data } = await sandbox.scanFile(path, {
      roots: filesystem.readable_roots,
      bytesMax: 1024 * 1024,
    });
    return data.toString();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function hasScript(text: string, task: ProjectTask): boolean {
  try {
    const parsed: JsonValue = JSON.parse(text);
    const scripts = isJsonObject(parsed) ? ownMember(parsed, 'scripts') : undefined;
    return typeof ownMember(scripts, task) === 'string';
  } catch {
    return false;
  }
}
