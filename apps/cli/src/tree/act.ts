import type { ExitCode } from '@agentclash/domain';
import type { Command } from 'commander';
import { CommandError } from '../command-error.js';
import { type CommandRun, type GlobalOptions, Session } from '../session/session.js';

/**
 * Makes the action of a command, whose module is loaded only when the command is run; arguments and options come as one
 * object, in camelCase.
 */
export type Act = <Input>(load: () => Promise<CommandRun<Input>>) => (...given: unknown[]) => Promise<void>;

export function actWith(end: (code: ExitCode) => void): Act {
  return <Input>(load: () => Promise<CommandRun<Input>>) =>
    async (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      const run = await load();
      // The format of tables is the session's: commands hand their input on, for instance as a query.
      const { tableFormat: _, ...options } = command.opts<GlobalOptions>();
      const input = { ...argumentsOf(command), ...options } as Input;
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

/** Where a setting was given, as its user knows it: an option, a variable, a file. */
const GIVEN_BY = {
  token: { options: '--token', environment: 'AGENTCLASH_TOKEN' },
  workspace: { options: '--workspace', environment: 'AGENTCLASH_WORKSPACE' },
} as const;

/** A refusal that is caused by the token or the workspace names that setting and who gave it; others stay as they are. */
async function withOrigin(error: unknown, session: Session): Promise<unknown> {
  const code = errorCodeOf(error);
  // Programs read the server's own response.
  if (code === undefined || session.options.json) return error;
  const { apiUrl, token, workspace } = await session.settings();
  if (code === 'unauthenticated' && token !== undefined) {
    return new CommandError('unauthorized', `The token is not valid at ${apiUrl?.value}`, {
      hint: `It comes from ${giver('token', token.origin)}. agentclash doctor checks it.`,
      cause: error,
    });
  }
  if (code === 'not_found' && workspace !== undefined && error instanceof Error && isOfWorkspace(error)) {
    return new CommandError('not_found', `There is no workspace "${workspace.value}" for this token`, {
      hint: `It comes from ${giver('workspace', workspace.origin)}. agentclash workspace list shows them.`,
      cause: error,
    });
  }
  return error;
}

function giver(setting: keyof typeof GIVEN_BY, origin: string): string {
  return (GIVEN_BY[setting] as Partial<Record<string, string>>)[origin] ?? origin;
}

function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && error.name === 'ApiError' && 'code' in error
    ? String(error.code)
    : undefined;
}

function isOfWorkspace({ message }: Error): boolean {
  return /^There is no such workspace\b/.test(message);
}
