import type { Command, Option } from 'commander';

/** Where in a command line the word to be completed stands. */
export interface Position {
  command: Command;
  /** The words that lead to the command, without the program's name. */
  path: readonly string[];
  /** The option whose value is due. */
  option: Option | undefined;
  /** How many arguments stand before. */
  argumentCount: number;
  /** Values given so far, by the option's long name: the last one counts. */
  given: ReadonlyMap<string, string>;
}

/** Reads the words before the one to be completed, as the program would. */
export function positionAfter(program: Command, words: readonly string[]): Position {
  let command = program;
  let path: readonly string[] = [];
  let option: Option | undefined;
  let argumentCount = 0;
  const given = new Map<string, string>();
  for (const word of words) {
    if (option !== undefined && !word.startsWith('-')) {
      given.set(nameOf(option), word);
      if (!option.variadic) option = undefined;
      continue;
    }
    option = undefined;
    if (word.startsWith('-')) {
      const [flag, value] = split(word);
      const found = [...command.options, ...program.options].find(
        ({ long, short }) => flag === long || flag === short,
      );
      if (found === undefined) continue;
      if (value !== undefined) given.set(nameOf(found), value);
      else if (found.required || found.optional) option = found;
      continue;
    }
    const child = argumentCount === 0 ? childOf(command, word) : undefined;
    if (child === undefined) {
      argumentCount += 1;
    } else {
      command = child;
      path = [...path, child.name()];
    }
  }
  return { command, path, option, argumentCount, given };
}

function childOf(command: Command, word: string): Command | undefined {
  return command.commands.find((each) => each.name() === word || each.aliases().includes(word));
}

function nameOf({ long, short }: Option): string {
  return long ?? short ?? '';
}

function split(word: string): [flag: string, value: string | undefined] {
  const [, flag = word, value] = /^(--[^=]+)=(.*)$/su.exec(word) ?? [];
  return [flag, value];
}
