import { type Command, CommanderError } from 'commander';

/** A first word that no command is, and that commands of groups are: the error names those. Other errors stay. */
export function withCommandsOfGroups(error: unknown, program: Command): unknown {
  if (!(error instanceof CommanderError) || error.code !== 'commander.unknownCommand') return error;
  const [word = ''] = program.args;
  if (!error.message.includes(`unknown command '${word}'`)) return error;
  const found = program.commands.flatMap((group) =>
    group.commands
      .filter((command) => [command.name(), ...command.aliases()].includes(word))
      .map((command) => `agentclash ${group.name()} ${command.name()}`),
  );
  if (found.length === 0) return error;
  const lines =
    found.length === 1 ? [`(Did you mean ${found[0]}?)`] : ['(Did you mean one of these?)', ...found];
  const message = [`error: unknown command '${word}'`, ...lines].join('\n');
  return new CommanderError(error.exitCode, error.code, message);
}
