import { type Command, type Option } from 'commander';
import { type CommandRun, type GlobalOptions, Session } from '../../session/session.js';
import { oneLine } from '../../terminal/printable.js';
import { type Offer } from './known-values.js';
import { isFile, kindsOfArgument, kindsOfOption, type ValueKind } from './value-kinds.js';

/** Completion is interactive: values that arrive later are not offered. */
const TIMEOUT_MS = 1_500;

interface Offers {
  known: readonly Offer[];
  kinds: readonly ValueKind[];
  takesFiles: boolean;
}

/** The candidates for the last of the words, for the scripts of the shells. It never fails and never reports an error. */
export function completeFor(program: Command): CommandRun<{ words: readonly string[] }> {
  return async ({ out }, { words }) => {
    const current = words.at(-1) ?? '';
    const position = positionAfter(program, words.slice(0, -1));
    const { known, kinds, takesFiles } = offersAt(program, position, current);
    const offers = [...known, ...(await queryServer(position, kinds))];
    for (const { value, help } of offers.filter((each) => each.value.startsWith(current))) {
      out.line(`${value}\t${oneLine(help)}`);
    }
    if (takesFiles) out.line(':files');
    return undefined;
  };
}

function offersAt(
  program: Command,
  { command, path, option, argumentCount }: Position,
  current: string,
): Offers {
  if (option !== undefined && !current.startsWith('-')) {
    const long = option.long ?? '';
    return {
      known: (option.argChoices ?? []).map((value) => ({ value, help: '' })),
      kinds: kindsOfOption(path, long),
      takesFiles: isFile(long),
    };
  }
  if (current.startsWith('-')) {
    const options = [...new Set([...command.options, ...program.options])].filter(({ hidden }) => !hidden);
    const known = options.flatMap(({ long, description }) =>
      long ? [{ value: long, help: description }] : [],
    );
    return {
      known: [...known, { value: '--help', help: 'display help for command' }],
      kinds: [],
      takesFiles: false,
    };
  }
  const argument = command.registeredArguments[argumentCount] ?? variadicOf(command);
  const children = program.createHelp().visibleCommands(command);
  return {
    known: [
      ...(argumentCount === 0
        ? children.map((each) => ({ value: each.name(), help: each.description() }))
        : []),
      ...(argument?.argChoices ?? []).map((value) => ({ value, help: '' })),
    ],
    kinds: argument === undefined ? [] : kindsOfArgument(path, argument.name()),
    takesFiles: argument !== undefined && isFile(argument.name()),
  };
}

function variadicOf({ registeredArguments }: Command) {
  const last = registeredArguments.at(-1);
  return last?.variadic ? last : undefined;
}

async function queryServer({ given }: Position, kinds: readonly ValueKind[]): Promise<Offer[]> {
  if (kinds.length === 0) return [];
  try {
    const { KNOWN } = await import('./known-values.js');
    const client = await new Session(globalsIn(given)).client();
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const found = await Promise.all(kinds.map((kind) => KNOWN[kind]({ client, signal, given })));
    return found.flat();
  } catch {
    return [];
  }
}

/** The line that is being typed may name another server or workspace. */
function globalsIn(given: ReadonlyMap<string, string>): GlobalOptions {
  const [apiUrl, token, workspace] = ['--api-url', '--token', '--workspace'].map((name) => given.get(name));
  return {
    ...(apiUrl !== undefined && { apiUrl }),
    ...(token !== undefined && { token }),
    ...(workspace !== undefined && { workspace }),
  };
}

/** The position of the word to be completed in a command line. */
interface Position {
  command: Command;
  /** The words that lead to the command, without the program's name. */
  path: readonly string[];
  /** The option whose value is due. */
  option: Option | undefined;
  /** The number of arguments before it. */
  argumentCount: number;
  /** Values given so far, by the option's long name: the last one counts. */
  given: ReadonlyMap<string, string>;
}

/** Reads the words before the one to be completed, as the program would. */
function positionAfter(program: Command, words: readonly string[]): Position {
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
