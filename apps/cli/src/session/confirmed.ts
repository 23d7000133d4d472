import { CommandError } from '../command-error.js';
import { confirm } from '../terminal/prompt.js';
import type { Session } from './session.js';

interface Confirmation {
  /** Of the command. */
  yes: boolean | undefined;
  /** Why it is not done without a confirmation. */
  warning: string;
  /** Prompts for yes or no. */
  question: string;
  /** The next step where a prompt is not possible. */
  hint: string;
}

/** True when what cannot be undone is confirmed: by `--yes`, else by a person. Fails where there is neither. */
export async function isConfirmed(
  session: Session,
  { yes, warning, question, hint }: Confirmation,
): Promise<boolean> {
  if (yes === true) return true;
  if (!session.canPrompt) throw new CommandError('usage', warning, { hint });
  return await confirm(session.out, question);
}
