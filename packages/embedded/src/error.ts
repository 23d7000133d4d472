/** The errors of the embedded servers. The operator can act on every one of them. */
export type EmbeddedErrorCode =
  | 'port_in_use'
  | 'already_running'
  | 'not_installed'
  | 'directory_unreachable'
  | 'unsupported_platform'
  | 'start_failed';

/** A failure to provide an embedded server: `message` describes it, `hint` how to solve it. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError';
  readonly code: EmbeddedErrorCode;
  readonly hint: string;

  constructor(code: EmbeddedErrorCode, message: string, options: { hint: string; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}
