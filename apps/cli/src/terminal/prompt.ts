import type { Option } from '@clack/prompts';
import { CommandError } from '../command-error.js';
import type { Output } from './output.js';
import { oneLine } from './printable.js';

export interface Choice<T> {
  label: string;
  value: T;
}

/** More are scrolled through. */
const SHOWN_MAX = 12;

/** Prompts for one of several; Enter takes the first. Only where a person can reply. */
export async function choose<T>(output: Output, message: string, choices: readonly Choice<T>[]): Promise<T> {
  const { select } = await import('@clack/prompts');
  const options = numbered(choices);
  return valueAt(
    choices,
    await enteredValue(select({ message, options, maxItems: SHOWN_MAX, ...at(output) })),
  );
}

/** Prompts for one of several by one key, without Enter. The values are the keys. */
export async function chooseKey<Key extends string>(
  output: Output,
  message: string,
  choices: readonly Choice<Key>[],
): Promise<Key> {
  const { selectKey } = await import('@clack/prompts');
  const options = choices.map(({ label, value }) => ({ value: value as string, label }));
  return (await enteredValue(selectKey({ message, options, ...at(output) }))) as Key;
}

/** Prompts for some of several; Enter takes all. */
export async function chooseSome<T>(
  output: Output,
  message: string,
  choices: readonly Choice<T>[],
): Promise<T[]> {
  const { multiselect } = await import('@clack/prompts');
  const options = numbered(choices);
  const initialValues = options.map(({ value }) => value);
  const prompt = multiselect({ message, options, initialValues, maxItems: SHOWN_MAX, ...at(output) });
  return (await enteredValue(prompt)).map((index) => valueAt(choices, index));
}

/** Prompts for yes or no; Enter is no. */
export async function confirm(output: Output, message: string): Promise<boolean> {
  const prompts = await import('@clack/prompts');
  return enteredValue(prompts.confirm({ message, initialValue: false, ...at(output) }));
}

/** Prompts for a line; what surrounds it is cut. */
export async function promptLine(output: Output, message: string): Promise<string> {
  const { text } = await import('@clack/prompts');
  return (await enteredValue(text({ message, ...at(output) })))?.trim() ?? '';
}

/** Prompts for a value that is not shown while it is typed. */
export async function promptHidden(output: Output, message: string): Promise<string> {
  const { password } = await import('@clack/prompts');
  return (await enteredValue(password({ message, ...at(output) }))) ?? '';
}

/** Questions are no results: they go to stderr. */
function at({ stderr }: Output) {
  return { input: process.stdin, output: stderr };
}

async function enteredValue<T>(prompt: Promise<T>): Promise<Exclude<T, symbol>> {
  const { isCancel } = await import('@clack/prompts');
  const value = await prompt;
  if (isCancel(value)) throw new CommandError('usage', 'Cancelled');
  return value as Exclude<T, symbol>;
}

/** The prompts compare values; any value may be chosen by its place. */
function numbered(choices: readonly Choice<unknown>[]): Option<number>[] {
  return choices.map(({ label }, value) => ({ value, label: oneLine(label) }));
}

function valueAt<T>(choices: readonly Choice<T>[], index: number): T {
  const choice = choices[index];
  if (choice === undefined) throw new Error(`There is no choice ${index}`);
  return choice.value;
}
