import { CommandError } from './command-error.js';
import type { Session } from './session.js';

/** Where a setting was given, as its user knows it: an option, a variable, a file. */
const GIVEN_BY = {
  token: { options: '--token', environment: 'AGENTCLASH_TOKEN' },
  workspace: { options: '--workspace', environment: 'AGENTCLASH_WORKSPACE' },
} as const;

/** A refusal that is owed to the token or the workspace names that setting and who gave it; others stay as they are. */
export async function withOrigin(error: unknown, session: Session): Promise<unknown> {
  const code = refusalOf(error);
  // Programs read the server's own answer.
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

function refusalOf(error: unknown): string | undefined {
  return error instanceof Error && error.name === 'ApiError' && 'code' in error
    ? String(error.code)
    : undefined;
}

function isOfWorkspace({ message }: Error): boolean {
  return /^There is no such workspace\b/.test(message);
}
