import type { JsonObject, JsonValue } from '@agentclash/challengepack';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { escapeSegment } from './json-pointer.js';
import { ToolError } from './tool-error.js';

const BYTES_MAX = 256 * 1024;
const LEVELS_MAX = 64;

type ArgumentsVerdict = { ok: true } | { ok: false; path: string; message: string };

/** Judges call arguments by one tool's schema. */
export type ArgumentsCheck = (args: JsonValue, opaque?: ReadonlySet<string>) => ArgumentsVerdict;

const compiled = new WeakMap<JsonObject, ArgumentsCheck>();

/**
 * Compiles a tool's parameters (JSON Schema 2020-12). Nothing is coerced, defaults fill nothing, patterns are RE2.
 * `opaque` names values by JSON Pointer that stand for secrets: of them only `type` is tested. Throws when the schema
 * does not compile.
 */
export function argumentsCheck(schema: JsonObject): ArgumentsCheck {
  const known = compiled.get(schema);
  if (known) return known;
  const validate = compile(schema);
  const check: ArgumentsCheck = (args, opaque = new Set()) => {
    if (validate(args)) return { ok: true };
    const faults = (validate.errors ?? []).filter((error) => isTestable(error, opaque)).map(faultOf);
    const first = faults.sort((a, b) => byCodePoint(a.path, b.path)).at(0);
    return first ? { ok: false, ...first } : { ok: true };
  };
  compiled.set(schema, check);
  return check;
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

/** Linear-time patterns: a schema comes from outside and meets text from outside. Ajv keeps one per `toString()`. */
const re2 = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern);
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => `/${pattern}/` };
  },
  { code: 'new RegExp' },
);

/** A compiler takes far longer to make than to use, and keeps something of every schema: it serves for some and goes. */
const SCHEMAS_PER_COMPILER = 100;
let compiler = { ajv: newCompiler(), used: 0 };

function compile(schema: JsonObject): ValidateFunction {
  if (compiler.used++ === SCHEMAS_PER_COMPILER) compiler = { ajv: newCompiler(), used: 1 };
  return compiler.ajv.compile(schema);
}

function newCompiler(): Ajv2020 {
  return new Ajv2020({
    strict: false,
    meta: false,
    validateSchema: false,
    allErrors: true,
    validateFormats: false,
    addUsedSchema: false,
    logger: false,
    code: { regExp: re2 },
  });
}

const PROPERTY_PARAMS = ['missingProperty', 'additionalProperty', 'unevaluatedProperty', 'propertyName'];

function faultOf(error: ErrorObject): { path: string; message: string } {
  const params: Record<string, unknown> = error.params;
  const property = PROPERTY_PARAMS.map((name) => params[name]).find((name) => typeof name === 'string');
  const tail = typeof property === 'string' ? `/${escapeSegment(property)}` : '';
  const message = tail ? MESSAGES[error.keyword] : undefined;
  return { path: error.instancePath + tail, message: message ?? error.message ?? 'is not valid' };
}

const MESSAGES: Record<string, string> = {
  required: 'is missing',
  dependentRequired: 'is missing',
  additionalProperties: 'is unexpected',
  unevaluatedProperties: 'is unexpected',
  propertyNames: 'is not a valid name',
};

/** An alternative that does not fit is no fault as long as the whole is judged, and a secret is judged by type alone. */
function isTestable(error: ErrorObject, opaque: ReadonlySet<string>): boolean {
  if (!opaque.has(error.instancePath)) return true;
  return error.keyword === 'type' && !/\/(anyOf|oneOf|not|if|then|else)\b/.test(error.schemaPath);
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

function byCodePoint(left: string, right: string): number {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return Buffer.compare(a, b);
}
