/** A response of the daemon that is no success. */
export class EngineError extends Error {
  override readonly name = 'EngineError';

  constructor(
    readonly status: number,
    /** The message of the daemon. */
    readonly reason: string,
    call: string,
  ) {
    super(`${call}: ${status} ${reason}`);
  }
}

export function hasStatus(error: unknown, ...statuses: number[]): error is EngineError {
  return error instanceof EngineError && statuses.includes(error.status);
}
