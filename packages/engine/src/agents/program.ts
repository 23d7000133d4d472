import { AttemptEnded } from '../attempt/attempt-ended.js';
import type { ProgramConfig } from '../plan.js';
import type { AttemptSandbox } from '../sandbox/attempt-sandbox.js';
import { tailText } from '../sandbox/tail-text.js';
import { stageFiles } from '../staging/stage.js';
import { ToolError } from '../tools/tool-error.js';
import type { Driven, DriverContext } from './driver.js';
import { endOfProgram } from './program-end.js';

/** Where a program's own files lie; only the executor writes there. */
export const PROGRAM_DIRECTORY = '/agent';
const TASK_PATH = `${PROGRAM_DIRECTORY}/.agentclash-task.json`;
const OUTPUT_ROOT = '/tmp';
const OUTPUT_PATH = `${OUTPUT_ROOT}/agentclash-output`;
const EXECUTABLE = 0o755;

/** Runs a program on the task and takes what it leaves as its answer. */
export async function driveProgram(config: ProgramConfig, context: DriverContext): Promise<Driven> {
  const sandbox = context.sandbox?.for('program');
  if (!sandbox) {
    const message = 'a program needs a sandbox, which this mode does not have';
    throw new AttemptEnded({ because: 'infra', code: 'incompatible_deployment', message });
  }
  const { plan, task, stage } = context;
  const taskText = JSON.stringify(task);
  await placeFiles(config, taskText, { sandbox, context });
  stage.check();
  const exec = await sandbox.exec(config.command, {
    stdin: taskText,
    cwd: plan.filesystem.working_directory,
    env: { ...config.env, AGENTCLASH_TASK: TASK_PATH, AGENTCLASH_OUTPUT: OUTPUT_PATH },
    timeoutMs: Math.max(1, stage.remainingMs()),
  });
  const { max_output_bytes } = plan.limits;
  const printed = tailText(exec.stdout, max_output_bytes);
  if (exec.timedOut) return { end: { because: 'limit', limit: 'time' }, stepCount: 0, output: printed };
  const written = await readOutput(sandbox, max_output_bytes);
  if (written === 'too_long') return { end: { because: 'limit', limit: 'output' }, stepCount: 0 };
  const output = written || printed;
  const oom = exec.oomKilled && exec.signal === 'SIGKILL';
  return { end: endOfProgram({ ...exec, oom }, output), stepCount: 0, output };
}

async function placeFiles(
  { files = [] }: ProgramConfig,
  taskText: string,
  { sandbox, context }: { sandbox: AttemptSandbox; context: DriverContext },
): Promise<void> {
  const options = {
    artifacts: context.artifacts,
    directory: PROGRAM_DIRECTORY,
    roots: [PROGRAM_DIRECTORY],
    signal: context.stage.signal,
  };
  await stageFiles(sandbox, files, { ...options, mode: EXECUTABLE });
  await stageFiles(sandbox, [{ path: TASK_PATH, content: taskText }], options);
}

/** What the program wrote into its output file; empty when there is none that can be read. */
async function readOutput(sandbox: AttemptSandbox, bytesMax: number): Promise<string | 'too_long'> {
  try {
    const { data } = await sandbox.readFile(OUTPUT_PATH, { roots: [OUTPUT_ROOT], bytesMax });
    return data.toString();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return error.code === 'too_large' ? 'too_long' : '';
  }
}
