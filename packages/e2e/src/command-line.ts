import { type ParseArgsConfig, parseArgs } from 'node:util';

type Flags = NonNullable<ParseArgsConfig['options']>;

/** The flags and positionals of a command line. Throws in one sentence where one is unknown or lacks its value. */
export function parseFlags<const F extends Flags>(words: readonly string[], options: F) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw new Error(`${plain(error as Error)} --help lists the options.`);
  }
}

/** Node.js explains, over three lines, that a value which begins with a dash is ambiguous. */
function plain({ message }: Error): string {
  const [first = ''] = message.split('\n');
  const flag = /'(?:-\w, )?(--?[\w-]+)/.exec(first)?.[1];
  if (/ambiguous|missing/.test(first)) return `${flag} needs a value that does not begin with a dash.`;
  return first.startsWith('Unknown option') ? `There is no option ${flag}.` : `${first}.`;
}

export function positiveInteger(text: string, flag: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) {
    throw new Error(`${flag} must be a positive integer, not ${text}.`);
  }
  return number;
}

/** The keys of a list that is parted by commas, each one of `known`; all of them where there is no list. */
export function chosenOf<T extends string>(list: string | undefined, flag: string, known: readonly T[]): T[] {
  if (list === undefined) return [...known];
  return list.split(',').map((name) => {
    const key = known.find((each) => each === name);
    if (key === undefined) throw new Error(`"${name}" is none of the keys of ${flag}: ${known.join(', ')}.`);
    return key;
  });
}
