import type { JsonObject, JsonValue } from '@agentclash/challengepack';
import type { ArgumentsVerdict } from './arguments.js';
import { ToolError } from './tool-error.js';

/** Arguments of a call of a tool that somebody defined. */
export interface DefinedArguments {
  schema: JsonObject;
  args: JsonValue;
  /** Values that stand for secrets, by JSON Pointer: of them only `type` is tested. */
  opaque: ReadonlySet<string>;
}

export interface ArgumentBounds {
  signal: AbortSignal;
  /** Leaves out of the attempt's time what the check waited for others. */
  exclude: (ms: number) => void;
}

/** Why there is no verdict: the schema is not valid, or applying it took more than it may. */
type UncheckedBecause = 'invalid_schema' | 'limit';

/** Checks arguments against the schemas of packs and workspaces, where that can hold up nothing else. */
export interface ArgumentChecks {
  /** Rejects with the signal's reason. */
  check(
    args: DefinedArguments,
    bounds: ArgumentBounds,
  ): Promise<ArgumentsVerdict | { unchecked: UncheckedBecause }>;
}

const UNCHECKED: Record<UncheckedBecause, [code: string, message: string]> = {
  invalid_schema: ['invalid_schema', 'the tool has no usable parameters'],
  limit: ['timeout', 'checking the arguments took more than it may'],
};

/** The verdict. Throws a ToolError that is no fault of the agent's when there is none. */
export async function verdictOf(
  checks: ArgumentChecks,
  args: DefinedArguments,
  bounds: ArgumentBounds,
): Promise<ArgumentsVerdict> {
  const verdict = await checks.check(args, bounds);
  if (!('unchecked' in verdict)) return verdict;
  const [code, message] = UNCHECKED[verdict.unchecked];
  throw new ToolError(code, message, { origin: 'delegation' });
}
