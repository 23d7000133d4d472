import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { repository } from '../product.js';

export interface JobResult {
  /** Of the first step that failed, else 0. */
  code: number | null;
  log: string;
  outputs: Record<string, string>;
  summary: string;
  /** Where the job ran: its reports are there. */
  folder: string;
}

/** Runs the steps of our action as a runner of GitHub would: in bash, with its variables and files. */
export async function runJob(
  given: Record<string, string>,
  { parent, env }: { parent: string; env: NodeJS.ProcessEnv },
): Promise<JobResult> {
  const action = readAction();
  const folder = mkdtempSync(path.join(parent, 'job-'));
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? '']);
  const context: Context = { inputs: { ...Object.fromEntries(defaults), ...given }, outputs: {} };
  const summaryFile = path.join(folder, 'summary');
  writeFileSync(summaryFile, '');
  let code: number | null = 0;
  let log = '';
  for (const step of action.runs.steps.filter((each) => isDue(each, context))) {
    if (code !== 0 && step.if !== 'always()') continue;
    const outputFile = path.join(folder, `output-${step.id ?? ''}`);
    writeFileSync(outputFile, '');
    const ended = await runStep(step, {
      folder,
      env: {
        ...env,
        ...Object.fromEntries(
          Object.entries(step.env).map(([name, text]) => [name, filledIn(text, context)]),
        ),
        GITHUB_ACTION_PATH: ACTION_FOLDER,
        GITHUB_OUTPUT: outputFile,
        GITHUB_STEP_SUMMARY: summaryFile,
        GITHUB_REPOSITORY: 'team/agents',
        GITHUB_SHA: '0123456789abcdef0123456789abcdef01234567',
      },
    });
    log += ended.log;
    code ||= ended.code;
    if (step.id !== undefined) context.outputs[step.id] = outputsIn(readFileSync(outputFile, 'utf8'));
  }
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, filledIn(value, context)]);
  return {
    code,
    log,
    outputs: Object.fromEntries(outputs),
    summary: readFileSync(summaryFile, 'utf8'),
    folder,
  };
}

/** Conditions of our own action alone. */
function isDue({ if: condition }: ActionStep, { inputs }: Context): boolean {
  return condition === "inputs.token == ''" ? inputs.token === '' : true;
}

/** As GitHub calls a step's bash. */
const BASH = ['--noprofile', '--norc', '-eo', 'pipefail', '-c'];

function runStep(
  { run }: ActionStep,
  { folder, env }: { folder: string; env: NodeJS.ProcessEnv },
): Promise<{ code: number | null; log: string }> {
  mkdirSync(folder, { recursive: true });
  const child = spawn('bash', [...BASH, run], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, log }));
  });
}

function outputsIn(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^([\w-]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}

export const ACTION_FOLDER = path.join(repository, 'examples/ci/github');

/** A composite action, as far as ours goes. */
interface Action {
  name: string;
  description: string;
  inputs: Record<string, { description: string; required?: boolean; default?: string }>;
  outputs: Record<string, { description: string; value: string }>;
  runs: { using: string; steps: ActionStep[] };
}

interface ActionStep {
  name: string;
  id?: string;
  if?: string;
  shell: string;
  env: Record<string, string>;
  run: string;
}

export function readAction(): Action {
  return parse(readFileSync(path.join(ACTION_FOLDER, 'action.yml'), 'utf8')) as Action;
}

/** The context of expressions while a job runs. */
interface Context {
  inputs: Record<string, string>;
  /** The outputs of steps, by the step's id. */
  outputs: Record<string, Record<string, string>>;
}

/** A text with its `${{ … }}` filled in: references, and `a || b` for the first that is not empty. */
function filledIn(text: string, context: Context): string {
  return text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_all, expression: string) =>
    expression.split('||').reduce((found, term) => found || valueOfTerm(term.trim(), context), ''),
  );
}

/** The references of the expressions in a text. */
export function referencesIn(text: string): string[] {
  return [...text.matchAll(/\$\{\{\s*(.*?)\s*\}\}/g)].flatMap(([, expression = '']) =>
    expression.split('||').map((term) => term.trim()),
  );
}

function valueOfTerm(term: string, { inputs, outputs }: Context): string {
  const [, input] = /^inputs\.([\w-]+)$/.exec(term) ?? [];
  if (input !== undefined) return inputs[input] ?? '';
  const [, step = '', output = ''] = /^steps\.([\w-]+)\.outputs\.([\w-]+)$/.exec(term) ?? [];
  if (step === '') throw new Error(`no expression of ours: ${term}`);
  return outputs[step]?.[output] ?? '';
}
