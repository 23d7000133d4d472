import type { SandboxDeath } from './contract.js';

const SANDBOX_ERROR_CODES = [
  'invalid_path',
  'invalid_argument',
  'invalid_image',
  'not_permitted',
  'not_found',
  'is_directory',
  'not_directory',
  'not_regular_file',
  'symlink_loop',
  'too_large',
  'no_space',
  'timeout',
  'cpu_starved',
  'output_limit',
  'sandbox_dead',
  'unavailable',
  'unsupported',
] as const;

export type SandboxErrorCode = (typeof SANDBOX_ERROR_CODES)[number];

/** The only error a provider throws on purpose. Messages name no host path, so they may be shown to agents. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  /** With `sandbox_dead`: what ended the sandbox. */
  readonly death?: SandboxDeath;
  /** With `unsupported`: what the provider lacks. */
  readonly capability?: string;
  /** With `unavailable` and `invalid_image`: what an operator can do about it. */
  readonly fix?: string;

  constructor(
    readonly code: SandboxErrorCode,
    message: string,
    details: { death?: SandboxDeath; capability?: string; fix?: string; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    if (details.death !== undefined) this.death = details.death;
    if (details.capability !== undefined) this.capability = details.capability;
    if (details.fix !== undefined) this.fix = details.fix;
  }
}

export function isSandboxError(error: unknown, code?: SandboxErrorCode): error is SandboxError {
  return error instanceof SandboxError && (code === undefined || error.code === code);
}

export const START_FIX =
  'the log of the executor, or AGENTCLASH_DEBUG=1, shows the cause; `agentclash doctor` opens such a sandbox, too';

/** The error of a sandbox whose process inside never responded. The output of programs is the cause, for the log. */
export function startFailure(cause: unknown): SandboxError {
  const isOfStart = isSandboxError(cause, 'timeout') || isSandboxError(cause, 'sandbox_dead');
  if (isSandboxError(cause) && !isOfStart) return cause;
  const message = `the sandbox did not start${isOfStart ? `: ${cause.message}` : ''}`;
  return new SandboxError('unavailable', message, { cause, fix: START_FIX });
}
