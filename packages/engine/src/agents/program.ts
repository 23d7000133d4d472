import type { RenderedProgram } from '@agentclash/agent-presets';
import type { PlannedPreset, ProgramConfig } from '@agentclash/attempt-plan';
import type { TaskDocument } from '@agentclash/domain';
import { type AttemptEnd, AttemptEnded, shortText } from '../outcome/attempt-end.js';
import { ToolError } from '../outcome/tool-error.js';
import {
  HOME_DIRECTORY,
  type LineSource,
  presetProgram,
  skillFiles,
  sourcedText,
} from '../programs/preset-program.js';
import { modelEnvironment, toolEnvironment } from '../programs/program-broker.js';
import { type AttemptSandbox, tailText } from '../sandbox/attempt-sandbox.js';
import { stageFiles } from '../staging/stage.js';
import { programPrompt } from '../task/task-document.js';
import { readAgentReply } from './agent-reply.js';
import type { DriverContext, DriverResult } from './driver.js';

/** The directory of a program's own files; only the executor writes there. */
export const PROGRAM_DIRECTORY = '/agent';
const TASK_PATH = `${PROGRAM_DIRECTORY}/.agentclash-task.json`;
const OUTPUT_ROOT = '/tmp';
const NO_BROKER = { token: '', hasTools: false };
const EXECUTABLE = 0o755;

/** Stages a program and runs it on the task. */
export async function driveProgram(config: ProgramConfig, context: DriverContext): Promise<DriverResult> {
  const run = { sandbox: programSandbox(context), context };
  await stageProgram(config, run);
  if (config.preset) return runPreset(config, config.preset, run);
  return runProgram(config, { task: context.task, outputName: 'agentclash-output' }, run);
}

/** The sandbox as a program's own. Throws AttemptEnded where there is none. */
export function programSandbox({ sandbox }: DriverContext): AttemptSandbox {
  if (sandbox) return sandbox.for('program');
  const message = 'a program needs a sandbox, and this mode has none';
  throw new AttemptEnded({ because: 'infra', code: 'incompatible_deployment', message });
}

interface ProgramContext {
  sandbox: AttemptSandbox;
  context: DriverContext;
}

/** Stages a program's own files. */
export async function stageProgram({ files = [] }: ProgramConfig, run: ProgramContext): Promise<void> {
  const { sandbox, context } = run;
  await context.stage.uncounted(() => stageFiles(sandbox, files, { ...staging(run), mode: EXECUTABLE }));
}

/** Runs a coding agent once, by its preset. */
async function runPreset(
  config: ProgramConfig,
  preset: PlannedPreset,
  run: ProgramContext,
): Promise<DriverResult> {
  const { sandbox, context } = run;
  const { plan, stage } = context;
  const { command, stdin, env } = await stagePreset(config, preset, run);
  stage.check();
  const exec = await sandbox.exec(command, {
    stdin,
    cwd: plan.filesystem.working_directory,
    env,
    timeoutMs: Math.max(1, stage.remainingMs()),
    waits: stage.excludedWaits(),
  });
  const { max_output_bytes } = plan.limits;
  const printed = tailText(exec.stdout, max_output_bytes);
  if (exec.timedOut) return { end: { because: 'limit', limit: 'time' }, output: printed };
  const { final_output, failure } = preset.definition;
  const readers = {
    stdout: exec.stdout,
    file: (path: string) => stage.uncounted(() => readOutput(sandbox, path, max_output_bytes)),
    lines: (source: LineSource) =>
      readAgentReply({ form: 'json_lines', bytes: exec.stdout, source }, context),
  };
  const output = (await sourcedText(final_output, readers)) ?? '';
  if (output === 'too_long' || Buffer.byteLength(output) > max_output_bytes) {
    return { end: { because: 'limit', limit: 'output' } };
  }
  const oom = exec.oomKilled && exec.signal === 'SIGKILL';
  const end = endOfProgram({ ...exec, oom }, output);
  const failed = failure && (await sourcedText(failure, readers));
  if (failed === undefined) return { end, output };
  return { end: withFailure(end, context.history.secrets.redact(failed)), output };
}

/** Stages the files of a preset and of its skills. Returns its command with everything filled in. */
export async function stagePreset(
  { models, env, protocol }: ProgramConfig,
  preset: PlannedPreset,
  run: ProgramContext,
): Promise<Pick<RenderedProgram, 'command' | 'stdin' | 'env' | 'prompt'>> {
  const { sandbox, context } = run;
  const { stage, broker: { token, hasTools } = NO_BROKER } = context;
  if (models === undefined) {
    const message = 'the deployment names no model';
    throw new AttemptEnded({ because: 'provider', class: 'unsupported', message });
  }
  const prompt = programPrompt(context.task);
  const program = presetProgram(preset, { models, token, hasTools, prompt, isAcp: protocol === 'acp' });
  const home = { ...staging(run), directory: HOME_DIRECTORY, roots: [HOME_DIRECTORY] };
  await stage.uncounted(() => stageFiles(sandbox, program.files, home));
  const skills = skillFiles(preset, program);
  await stage.uncounted(() => stageFiles(sandbox, skills, { ...home, mode: EXECUTABLE }));
  return { ...program, env: { ...(hasTools && toolEnvironment(token)), ...program.env, ...env } };
}

/** The end of an agent that names a failure in its output, whatever its exit code. */
function withFailure(end: AttemptEnd, failure: string): AttemptEnd {
  const short = shortText(failure);
  const reported = `the agent reported a failure${short && `: ${short}`}`;
  if (end.because === 'completed') {
    return { because: 'agent_error', code: 'reported_failure', message: reported };
  }
  if (end.because !== 'agent_error') return end;
  return { ...end, message: `${end.message}; ${reported}` };
}

/** Runs a program once. The final output is its output file, else its standard output. */
export async function runProgram(
  config: ProgramConfig,
  invocation: { task: TaskDocument; outputName: string },
  run: ProgramContext,
): Promise<DriverResult> {
  const { sandbox, context } = run;
  const { plan, stage } = context;
  const outputPath = `${OUTPUT_ROOT}/${invocation.outputName}`;
  const stdin = await stageTask(invocation.task, run);
  stage.check();
  const exec = await sandbox.exec(config.command, {
    stdin,
    cwd: plan.filesystem.working_directory,
    env: { ...programEnvironment(config, context), AGENTCLASH_OUTPUT: outputPath },
    timeoutMs: Math.max(1, stage.remainingMs()),
    waits: stage.excludedWaits(),
  });
  const { max_output_bytes } = plan.limits;
  const printed = tailText(exec.stdout, max_output_bytes);
  if (exec.timedOut) return { end: { because: 'limit', limit: 'time' }, output: printed };
  const written = await stage.uncounted(() => readOutput(sandbox, outputPath, max_output_bytes));
  if (written === 'too_long') return { end: { because: 'limit', limit: 'output' } };
  const output = written || printed;
  const oom = exec.oomKilled && exec.signal === 'SIGKILL';
  return { end: endOfProgram({ ...exec, oom }, output), output };
}

/** Puts the task where a program finds it. Returns its text. */
export async function stageTask(task: TaskDocument, run: ProgramContext): Promise<string> {
  const content = JSON.stringify(task);
  const file = { path: TASK_PATH, content };
  await run.context.stage.uncounted(() => stageFiles(run.sandbox, [file], staging(run)));
  return content;
}

/** The variables of a program without a preset. */
export function programEnvironment(
  { models, env }: ProgramConfig,
  { broker: { token, hasTools } = NO_BROKER }: DriverContext,
): Record<string, string> {
  return {
    ...(models && modelEnvironment(models, token)),
    ...(hasTools && toolEnvironment(token)),
    ...env,
    AGENTCLASH_TASK: TASK_PATH,
  };
}

function staging({ context }: ProgramContext) {
  return {
    artifacts: context.artifacts,
    directory: PROGRAM_DIRECTORY,
    roots: [PROGRAM_DIRECTORY],
    signal: context.stage.signal,
  };
}

/** The content of the program's output file; empty without a readable one. */
async function readOutput(
  sandbox: AttemptSandbox,
  path: string,
  bytesMax: number,
): Promise<string | 'too_long'> {
  try {
    const { data } = await sandbox.readFile(path, { roots: [OUTPUT_ROOT, HOME_DIRECTORY], bytesMax });
    return data.toString();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return error.code === 'too_large' ? 'too_long' : '';
  }
}

/** The end of a program's process; `oom` when it was killed for memory. */
export interface ProgramExit {
  exitCode: number;
  signal?: string;
  oom: boolean;
}

/**
 * Maps a program's exit to an end. A success without output is `completed`: the program may have worked in files only.
 */
export function endOfProgram(exit: ProgramExit, output: string): AttemptEnd {
  if (exit.oom) return { because: 'limit', limit: 'memory' };
  if (exit.signal !== undefined) {
    return {
      because: 'agent_error',
      code: 'signal',
      message: `the program was ended by the signal ${exit.signal}`,
    };
  }
  if (exit.exitCode !== 0) {
    return {
      because: 'agent_error',
      code: 'exit_nonzero',
      message: `the program exited with ${exit.exitCode}`,
    };
  }
  return { because: 'completed', finishedBy: 'program', output: output };
}
