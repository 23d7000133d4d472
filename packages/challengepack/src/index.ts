export type { ProblemCode, Severity } from './decode/problem-codes.js';
export type { Problem } from './decode/problems.js';
export * from './evaluation-spec/collectors.js';
export * from './evaluation-spec/providers.js';
export * from './evaluation-spec/references.js';
export * from './evaluation-spec/types.js';
export * from './evaluation-spec/validator-configs.js';
export * from './expected/exact-json.js';
export { compileJsonSchema, type SchemaCheck } from './expected/json-schema.js';
export { compileRegex, type Regex } from './expected/regex.js';
export * from './json.js';
export * from './model.js';
export { compareCodePoints } from './text/code-points.js';
export {
  argumentLookup,
  descend,
  type FillOptions,
  fillPlaceholders,
  fillTemplate,
  type Lookup,
  PlaceholderError,
  type PlaceholderErrorCode,
} from './tools/fill.js';
export { answerMock, type Mock, MockError, mockStrategy } from './tools/mock.js';
export {
  isOpaqueObject,
  mapOpaque,
  type OpaqueJson,
  type OpaqueObject,
  OpaqueText,
} from './tools/opaque-text.js';
export {
  isPlaceholder,
  type Placeholder,
  placeholderFault,
  secretKeysOf,
  type TemplatePart,
  templateParts,
} from './tools/placeholder.js';
export { admittedKinds, admittedPrimitives, type PackPolicy, primitivesOf } from './tools/policy.js';
export { isPrimitiveName, PRIMITIVE_NAMES, PRIMITIVES, type PrimitiveName } from './tools/primitives.js';
