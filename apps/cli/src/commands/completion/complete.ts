import type { Command } from 'commander';
import { type CommandRun, type GlobalOptions, Session } from '../../session.js';
import { oneLine } from '../../terminal/printable.js';
import type { Offer } from './known-values.js';
import { type Position, positionAfter } from './position.js';
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
      kinds: kindsOfOption(long),
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
