import type { ExitCode } from '@agentclash/domain';
import type { Command } from 'commander';
import { withOrigin } from '../refused-setting.js';
import { type GlobalOptions, Session } from '../session.js';

/** A command's module: loaded only when the command is run. */
export interface CommandModule<Input> {
  /** Resolves to what the process ends with, where that is not 0. */
  run(session: Session, input: Input): Promise<ExitCode | undefined>;
}

/** Makes the action of a command from its module; arguments and options come as one object, in camelCase. */
export type Act = <Input>(
  load: () => Promise<CommandModule<Input>>,
) => (...given: unknown[]) => Promise<void>;

export function actWith(end: (code: ExitCode) => void): Act {
  return <Input>(load: () => Promise<CommandModule<Input>>) =>
    async (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      const { run } = await load();
      const input = { ...argumentsOf(command), ...command.opts() } as Input;
      const session = new Session(command.optsWithGlobals<GlobalOptions>());
      const code = await run(session, input).catch(async (error: unknown) => {
        throw await withOrigin(error, session);
      });
      if (code !== undefined) end(code);
    };
}

function argumentsOf({ registeredArguments, processedArgs }: Command): Record<string, unknown> {
  return Object.fromEntries(
    registeredArguments.map((argument, index) => [camelCase(argument.name()), processedArgs[index]]),
  );
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
}
