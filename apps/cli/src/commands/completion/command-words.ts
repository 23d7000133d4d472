import type { Command } from 'commander';

/** What may follow a command: `path` is the words before, without the program's name. */
export interface CompletionNode {
  path: string;
  words: readonly { word: string; help: string }[];
  /** Whether a file name may follow. */
  takesFiles: boolean;
}

/** All commands of a tree with the subcommands, choices and options that may follow each. */
export function completionTree(program: Command): CompletionNode[] {
  const globals = optionWords(program);
  return nodesOf(program, [], globals);
}

function nodesOf(
  command: Command,
  path: readonly string[],
  globals: CompletionNode['words'],
): CompletionNode[] {
  const isRoot = path.length === 0;
  const words = [
    ...command.commands.map((child) => ({ word: child.name(), help: child.description() })),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) =>
      argChoices.map((word) => ({ word, help: '' })),
    ),
    ...(isRoot ? [] : optionWords(command)),
    ...globals,
  ];
  const takesFiles =
    command.registeredArguments.some((argument) => /^files?$/.test(argument.name())) ||
    command.options.some(({ long }) => long === '--file' || long === '--output' || long === '--data');
  return [
    { path: path.join(' '), words, takesFiles },
    ...command.commands.flatMap((child) => nodesOf(child, [...path, child.name()], globals)),
  ];
}

function optionWords(command: Command): CompletionNode['words'] {
  return command.options.flatMap(({ long, description }) =>
    long ? [{ word: long, help: description }] : [],
  );
}
