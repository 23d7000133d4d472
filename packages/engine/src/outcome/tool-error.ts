import type { JsonObject, JsonValue } from '@agentclash/challengepack';
import type { FailureOrigin } from '@agentclash/domain';

/**
 * An error that the agent receives and may work around. `message` is a text of the platform, without names of
 * delegates, host paths, addresses or secrets.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly origin: FailureOrigin;
  /** JSON Pointer into the arguments that were refused. */
  readonly path?: string;
  /** The output of a failed command. */
  readonly result?: JsonObject;

  constructor(
    readonly code: string,
    message: string,
    details: { origin?: FailureOrigin; path?: string; result?: JsonObject } = {},
  ) {
    super(message);
    this.origin = details.origin ?? 'primitive';
    if (details.path !== undefined) this.path = details.path;
    if (details.result !== undefined) this.result = details.result;
  }
}

/** The error of a tool call as the agent receives it. */
export function toolErrorResult(error: ToolError): JsonValue {
  return {
    error: error.message,
    code: error.code,
    ...(error.path !== undefined && { path: error.path }),
    ...error.result,
  };
}
