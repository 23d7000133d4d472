import { CommandError } from '../../command-error.js';
import type { Session } from '../../session/session.js';
import { confirm } from '../../terminal/prompt.js';
import { upCommand } from './data-folder.js';

interface Choice {
  folder: string;
  /** By an option of the command. */
  chosen: boolean | undefined;
}

const QUESTION =
  "Let members' endpoints and model servers be on this machine (127.0.0.1, ::1)? Any member can then send requests to any port here.";

/** The option, else what was chosen for this stack before, else the reply of a person; no without one. */
export async function loopbackChoice(session: Session, { folder, chosen }: Choice): Promise<boolean> {
  if (chosen !== undefined) return chosen;
  const { openLayout, readLoopbackChoice } = await import('@agentclash/local-stack');
  const before = await readLoopbackChoice(await openLayout(folder));
  if (before !== undefined) return before;
  return session.canPrompt ? await confirm(session.out, QUESTION) : false;
}

/** The services of a running stack keep what they were started with. */
export async function checkLoopback(isAllowed: boolean, { folder, chosen }: Choice): Promise<void> {
  if (chosen === undefined || chosen === isAllowed) return;
  const option = chosen ? '--allow-loopback-endpoints' : '--no-allow-loopback-endpoints';
  const state = isAllowed ? 'allowed' : 'refused';
  throw new CommandError('usage', `Already running, with loopback endpoints ${state} (data: ${folder})`, {
    hint: `To change it: agentclash down --data ${folder} && ${await upCommand(folder, option)}`,
  });
}

export function loopbackText(isAllowed: boolean): string {
  return isAllowed
    ? 'endpoints and model servers on this machine are allowed'
    : 'endpoints and model servers on this machine are refused (up --allow-loopback-endpoints)';
}
