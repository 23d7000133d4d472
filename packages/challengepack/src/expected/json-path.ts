import { FunctionExpressionType, JSONPathEnvironment, type JSONPathQuery } from 'json-p3';
import { compileRegex, type Regex } from '../text/regex.js';
import { JSON_DEPTH_MAX } from '../values/exact-json.js';

/** A compiled RFC 9535 query. Names written after a dot may contain `-`; `match` and `search` take RE2. */
export interface JsonPath {
  /** The values it selects, in document order, produced on demand. */
  select(value: unknown): Iterable<unknown>;
}

const environment = new JSONPathEnvironment({ maxRecursionDepth: JSON_DEPTH_MAX + 1 });
environment.functionRegister.set(
  'match',
  regexFunction((regex, text) => regex.matches(text)),
);
environment.functionRegister.set(
  'search',
  regexFunction((regex, text) => regex.test(text)),
);

/** Compiles a JSONPath; null when it is not one. */
export function compileJsonPath(path: string): JsonPath | null {
  try {
    return new CompiledPath(environment.compile(path));
  } catch {
    return null;
  }
}

class CompiledPath implements JsonPath {
  readonly #query: JSONPathQuery;

  constructor(query: JSONPathQuery) {
    this.#query = query;
  }

  *select(value: unknown): Iterable<unknown> {
    for (const node of this.#query.lazyQuery(value as JsonValue)) yield node.value;
  }
}

type JsonValue = Parameters<JSONPathQuery['lazyQuery']>[0];

/** An expression that is not RE2 selects nothing, as the standard requires for expressions that are not regular. */
function regexFunction(holds: (regex: Regex, text: string) => boolean) {
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call(text: unknown, pattern: unknown): boolean {
      if (typeof text !== 'string' || typeof pattern !== 'string') return false;
      const regex = compileRegex(pattern);
      return regex !== null && holds(regex, text);
    },
  };
}
