import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Argument, Command, Option } from 'commander';
import { EXAMPLES } from '../../tree/examples.js';
import { createProgram } from '../../tree/program.js';

export const CLI_REFERENCE = path.resolve(import.meta.dirname, '../../../../../docs/reference/cli.md');

/** The reference with its generated parts as the commands now are. */
export function cliReference(): string {
  const program = createProgram(() => undefined);
  const parts = { 'global options': globalOptionsMarkdown(program), commands: commandsMarkdown(program) };
  return Object.entries(parts).reduce(
    (text, [name, part]) => withPart(text, name, part),
    readFileSync(CLI_REFERENCE, 'utf8'),
  );
}

function withPart(text: string, name: string, part: string): string {
  const begin = `<!-- ${name}: written by \`pnpm reference\` -->`;
  const end = `<!-- end of the ${name} -->`;
  const [before = '', rest = ''] = text.split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`${CLI_REFERENCE} has no place for the ${name}`);
  return `${before}${begin}\n\n${part}\n\n${end}${after}`;
}

const OPTION_OF_HELP = '--help';

/** Every command of the tree, a section for each group. */
function commandsMarkdown(program: Command): string {
  const sections = children(program).map((command) => {
    const leaves = leavesOf(command, [program.name()]);
    const head = `### ${command.name()}\n\n${command.description()}.`;
    const isGroup = children(command).length > 0;
    return [isGroup ? head : `### ${command.name()}`, ...leaves.map(commandMarkdown)].join('\n\n');
  });
  return [...sections, ''].join('\n\n').trimEnd();
}

/** The options that every command takes. */
function globalOptionsMarkdown(program: Command): string {
  return rows(program.options.filter(isShown).map(optionRow), 'Option');
}

interface Leaf {
  command: Command;
  /** The words before its own name. */
  path: readonly string[];
}

function leavesOf(command: Command, path: readonly string[]): Leaf[] {
  const below = children(command);
  if (below.length === 0) return [{ command, path }];
  return below.flatMap((child) => leavesOf(child, [...path, command.name()]));
}

function children(command: Command): Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help');
}

function commandMarkdown({ command, path }: Leaf): string {
  const { registeredArguments, options } = command;
  const shown = options.filter(isShown);
  const words = [
    ...path,
    command.name(),
    ...registeredArguments.map(argumentWord),
    ...(shown.length === 0 ? [] : ['[options]']),
  ];
  const described = [
    ...registeredArguments
      .filter(({ description, argChoices }) => description !== '' || argChoices !== undefined)
      .map(argumentRow),
    ...shown.map(optionRow),
  ];
  return [
    `**\`${words.join(' ')}\`**`,
    `${command.description()}.`,
    ...examplesMarkdown([...path.slice(1), command.name()].join(' ')),
    ...(described.length === 0 ? [] : [rows(described, 'Argument or option')]),
  ].join('\n\n');
}

function examplesMarkdown(command: string): string[] {
  const examples = EXAMPLES[command] ?? [];
  if (examples.length === 0) return [];
  return [['```sh', ...examples.map((example) => `agentclash ${example}`), '```'].join('\n')];
}

function isShown({ hidden, long }: Option): boolean {
  return !hidden && long !== OPTION_OF_HELP;
}

function argumentWord(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function argumentRow(argument: Argument): [string, string] {
  return [argumentWord(argument), describe(argument)];
}

function optionRow(option: Option): [string, string] {
  const required = option.mandatory ? 'needed' : '';
  return [option.flags, [required, describe(option)].filter(Boolean).join('; ')];
}

function describe({
  description,
  argChoices,
  defaultValue,
  defaultValueDescription,
}: Option | Argument): string {
  const hidesDefault = defaultValue === undefined || typeof defaultValue === 'boolean';
  return [
    description,
    argChoices === undefined ? '' : `one of ${argChoices.map((choice) => `\`${choice}\``).join(', ')}`,
    hidesDefault ? '' : `default: ${defaultValueDescription ?? `\`${String(defaultValue)}\``}`,
  ]
    .filter(Boolean)
    .join('; ');
}

function rows(cells: readonly (readonly [string, string])[], title: string): string {
  const lines = cells.map(
    ([name, text]) => `| \`${name.replaceAll('|', '\\|')}\` | ${text.replaceAll('|', '\\|')} |`,
  );
  return [`| ${title} | |`, '|---|---|', ...lines].join('\n');
}
