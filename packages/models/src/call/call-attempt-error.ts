import {
  type CallFailureReason,
  classifyProviderError,
  type ProviderError,
  type ProviderFailureClass,
} from '../failures/failure.js';

/** Failures before a request was sent. */
const UNSENT: ReadonlySet<CallFailureReason> = new Set([
  'reset',
  'blocked',
  'bound_elsewhere',
  'no_credential',
  'unknown_provider',
  'unsendable',
]);

/** Replies of gateways that waited for the provider in vain: it may have completed the call. */
const MAY_BE_CHARGED: ReadonlySet<number> = new Set([408, 502, 504, 522, 524]);

/** One failed try. `error` holds the provider's own message and is not shown to users. */
export class CallAttemptError extends Error {
  override readonly name = 'CallAttemptError';
  readonly class: ProviderFailureClass;
  readonly retryAfterMs: number | undefined;
  /** True when the provider did no work for it that could be charged. */
  readonly isFree: boolean;
  /** Set when the stream had sent a fragment. */
  ttftMs: number | null = null;

  constructor(
    public error: ProviderError,
    details: { retryAfterMs?: number; isHttpError?: boolean } = {},
  ) {
    const failure = classifyProviderError(error);
    super(failure);
    this.class = failure;
    this.retryAfterMs = details.retryAfterMs;
    this.isFree = isUnsent(error) || (details.isHttpError === true && !MAY_BE_CHARGED.has(error.status ?? 0));
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

function isUnsent({ reason, status }: ProviderError): boolean {
  return reason !== undefined && status === undefined && UNSENT.has(reason);
}
