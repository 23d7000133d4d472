/** A call of a tool that is not carried out, with the next steps. */
export class CallError extends Error {
  override readonly name = 'CallError';

  constructor(
    message: string,
    readonly next: readonly string[],
  ) {
    super(message);
  }
}
