import type { Policy } from '@agentclash/attempt-plan';
import type { JsonObject, JsonValue } from '@agentclash/challengepack';

/** A tool of an MCP server. */
export interface ServerTool {
  server: string;
  /** As the server names it. */
  tool: string;
  parameters: JsonObject;
  /** The permission that the policy has to give; undefined where a program runs the server beside itself. */
  requires: 'network' | 'shell' | undefined;
  /** Where calls go; absent for a server in the sandbox. */
  url?: string;
  /** Throws ToolError, or the signal's reason. */
  call(
    args: JsonObject,
    call: { toolCallId: string; signal: AbortSignal; timeoutMs: number },
  ): Promise<JsonValue>;
}

/** The field of a result that a preview replaces when it is long. */
export const SERVER_RESULT_FIELDS = ['content'] as const;

export function isAdmitted(
  { requires }: Pick<ServerTool, 'requires'>,
  { kinds }: Pick<Policy, 'kinds'>,
): boolean {
  return requires === undefined || kinds.has(requires);
}
