import type { ExitName } from '@agentclash/domain';

export interface CommandErrorDetails {
  /** A change that helps. */
  hint?: string;
  /** The choices, one line each. */
  choices?: readonly string[];
  cause?: unknown;
}

/** A command cannot do what was requested, for a reason that its user can remove. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly hint: string | undefined;
  readonly choices: readonly string[];

  constructor(
    readonly exit: ExitName,
    message: string,
    { hint, choices = [], cause }: CommandErrorDetails = {},
  ) {
    super(message, { cause });
    this.hint = hint;
    this.choices = choices;
  }
}
