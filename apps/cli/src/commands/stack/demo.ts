import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ExitCode } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import { environment } from '../../config.js';
import type { Session } from '../../session/session.js';
import { rememberStack } from './known-stacks.js';

interface Input {
  data?: string;
  allowLoopbackEndpoints?: boolean;
}

/** A race on a stack of its own, from the examples: what a new user sees first. */
export async function runDemo(session: Session, input: Input): Promise<ExitCode> {
  const { defaultDataFolder, race, Terminal } = await import('@agentclash/local-stack');
  const home = environment.homes.find((folder) => existsSync(path.join(folder, 'examples')));
  if (home === undefined) throw new CommandError('unavailable', 'This installation has no examples');
  const terminal = new Terminal(process.stdout, session.canPrompt && Boolean(process.stdout.isTTY));
  const data = path.resolve(input.data ?? `${defaultDataFolder}-demo`);
  // A demo needs no settings of its user: it runs where their folder cannot be written, too.
  await rememberStack(data).catch(() => undefined);
  try {
    return (await race({
      program: environment.program,
      home,
      data,
      allowLoopbackEndpoints: input.allowLoopbackEndpoints,
      terminal,
    })) as ExitCode;
  } catch (error) {
    return terminal.explain(error) as ExitCode;
  }
}
