import { classifyProviderError, type ProviderError, type ProviderFailureClass } from '../failures/failure.js';

/** One failed try. `error` holds the provider's own words and stays inside. */
export class TryFailure extends Error {
  override readonly name = 'TryFailure';
  readonly class: ProviderFailureClass;
  readonly retryAfterMs: number | undefined;
  /** Set when the stream had begun to speak. */
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

  /** Providers like to repeat a key that they refuse. */
  forget(key: string): void {
    if (key === '') return;
    const { code, message } = this.error;
    this.error = {
      ...this.error,
      ...(code !== undefined && { code: code.replaceAll(key, '[key]') }),
      ...(message !== undefined && { message: message.replaceAll(key, '[key]') }),
    };
  }
}
