import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { repository } from '../product.js';

export const ACTION_FOLDER = path.join(repository, 'examples/ci/github');

/** A composite action, as far as ours goes. */
export interface Action {
  name: string;
  description: string;
  inputs: Record<string, { description: string; required?: boolean; default?: string }>;
  outputs: Record<string, { description: string; value: string }>;
  runs: { using: string; steps: ActionStep[] };
}

export interface ActionStep {
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

/** What expressions can refer to while a job runs. */
export interface Context {
  inputs: Record<string, string>;
  /** The outputs of steps, by the step's id. */
  outputs: Record<string, Record<string, string>>;
}

/** A text with its `${{ … }}` filled in: references, and `a || b` for the first that is not empty. */
export function filledIn(text: string, context: Context): string {
  return text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_all, expression: string) =>
    expression.split('||').reduce((found, term) => found || valueOfTerm(term.trim(), context), ''),
  );
}

/** What expressions in a text refer to. */
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
