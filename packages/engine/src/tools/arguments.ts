import { type JsonObject, type JsonSchema, type JsonValue, readJsonSchema } from '@agentclash/challengepack';
import { ToolError } from '../outcome/tool-error.js';
import type { WorkBounds } from '../workers/bounded-work.js';

const BYTES_MAX = 256 * 1024;
const LEVELS_MAX = 64;

export type ArgumentsVerdict = { ok: true } | { ok: false; path: string; message: string };

/** Checks call arguments against one tool's schema. */
export type ArgumentsCheck = (args: JsonValue, opaque?: ReadonlySet<string>) => ArgumentsVerdict;

const compiled = new WeakMap<JsonObject, JsonSchema>();

/**
 * Compiles a tool's parameters (JSON Schema 2020-12). Nothing is coerced, defaults fill nothing, formats are hints,
 * patterns are RE2. `opaque` names values by JSON Pointer that are replaced by secrets: of them only `type` is tested. Throws
 * when the schema is not valid.
 */
export function argumentsCheck(schema: JsonObject): ArgumentsCheck {
  const parameters = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, parameters);
  return (args, opaque) => {
    const [first] = parameters.violations(args, opaque);
    return first === undefined ? { ok: true } : { ok: false, path: first.path, message: first.message };
  };
}

function compile(schema: JsonObject): JsonSchema {
  const reading = readJsonSchema(schema, { assertsFormats: false });
  if (reading.ok) return reading.schema;
  throw new Error(`the parameters are no JSON Schema: ${reading.problem.at} ${reading.problem.message}`);
}

/** Refuses arguments that are no JSON object, too large or too deep, before any schema looks at them. */
export function checkArgumentsShape(args: JsonValue): asserts args is JsonObject {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new ToolError('arguments', 'the arguments must be a JSON object', {
      origin: 'arguments',
      path: '',
    });
  }
  if (levels(args) > LEVELS_MAX) {
    throw new ToolError('arguments', `the arguments nest deeper than ${LEVELS_MAX} levels`, {
      origin: 'arguments',
      path: '',
    });
  }
  if (Buffer.byteLength(JSON.stringify(args)) > BYTES_MAX) {
    throw new ToolError('arguments', 'the arguments are larger than 256 KiB', {
      origin: 'arguments',
      path: '',
    });
  }
}

function levels(value: JsonValue): number {
  let deepest = 0;
  const open: { value: JsonValue; level: number }[] = [{ value, level: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    deepest = Math.max(deepest, next.level);
    if (deepest > LEVELS_MAX) return deepest;
    for (const member of Object.values(next.value)) open.push({ value: member, level: next.level + 1 });
  }
  return deepest;
}

/** Arguments of a call of a defined tool. */
export interface DefinedArguments {
  schema: JsonObject;
  args: JsonValue;
  /** Values that are replaced by secrets, by JSON Pointer: of them only `type` is tested. */
  opaque: ReadonlySet<string>;
}

/** Why there is no verdict: the schema is not valid, or applying it took more than it may. */
type UncheckedBecause = 'invalid_schema' | 'limit';

/** Checks arguments against the schemas of packs and workspaces, off the shared thread. */
export interface ArgumentChecks {
  /** Rejects with the signal's reason. */
  check(
    args: DefinedArguments,
    bounds: WorkBounds,
  ): Promise<ArgumentsVerdict | { unchecked: UncheckedBecause }>;
}

const UNCHECKED: Record<UncheckedBecause, [code: string, message: string]> = {
  invalid_schema: ['invalid_schema', 'the parameters of the tool are no valid schema'],
  limit: ['timeout', 'the check of the arguments exceeded its limits'],
};

/** The verdict. Throws a ToolError, not of the agent's making, when there is none. */
export async function verdictOf(
  checks: ArgumentChecks,
  args: DefinedArguments,
  bounds: WorkBounds,
): Promise<ArgumentsVerdict> {
  const verdict = await checks.check(args, bounds);
  if (!('unchecked' in verdict)) return verdict;
  const [code, message] = UNCHECKED[verdict.unchecked];
  throw new ToolError(code, message, { origin: 'delegation' });
}
