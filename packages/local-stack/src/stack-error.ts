/** Why the stack cannot do what a command requires, and what helps. */
export class StackError extends Error {
  override readonly name = 'StackError';

  constructor(
    readonly code:
      | 'credentials_missing'
      | 'credentials_broken'
      | 'already_running'
      | 'front_door_name'
      | 'not_running'
      | 'start_failed'
      | 'stop_failed',
    message: string,
    readonly hint: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
