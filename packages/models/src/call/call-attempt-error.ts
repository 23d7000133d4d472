import { classifyProviderError, type ProviderError, type ProviderFailureClass } from '../failures/failure.js';

/** One failed try. `error` holds the provider's own message and is not shown to users. */
export class CallAttemptError extends Error {
  override readonly name = 'CallAttemptError';
  readonly class: ProviderFailureClass;
  readonly retryAfterMs: number | undefined;
  /** Set when the stream had sent a fragment. */
  ttftMs: number | null = null;

  constructor(
    public error: ProviderError,
    details: { retryAfterMs?: number } = {},
  ) {
    const failure = classifyProviderError(error);
    super(failure);
    this.class = failure;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** Removes the key: providers may repeat a rejected one in their message. */
  redact(key: string): void {
    if (key === '') return;
    const { code, message } = this.error;
    this.error = {
      ...this.error,
      ...(code !== undefined && { code: code.replaceAll(key, '[key]') }),
      ...(message !== undefined && { message: message.replaceAll(key, '[key]') }),
    };
  }
}
