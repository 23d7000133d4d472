export type { ArchiveFormat } from './cases/archive-format.js';
export * from './cases/case-text.js';
export type { MemberProblem } from './checks/pack-check.js';
export type { ProblemCode } from './decode/problem-codes.js';
export type { Problem } from './decode/problems.js';
export { describeYamlError } from './decode/yaml-problems.js';
export type { AuthoredConfig, AuthoredSpec, AuthoredValidator } from './evaluation-spec/authored.js';
export * from './evaluation-spec/collectors.js';
export { callCostUsd, findPriceRow, type PricedUsage } from './evaluation-spec/price-rows.js';
export * from './evaluation-spec/providers.js';
export * from './evaluation-spec/references.js';
export * from './evaluation-spec/types.js';
export * from './evaluation-spec/validator-configs.js';
export { VALIDATOR_TYPE_NAMES, VALIDATOR_TYPES } from './evaluation-spec/validator-types.js';
export { readBooleanText } from './expected/boolean-text.js';
export { foldCase } from './expected/case-folding.js';
export { type CsvRow, readCsv } from './expected/csv.js';
export type { Expected, ExpectedProblem } from './expected/expected.js';
export { expectedProblemText } from './expected/expected-forms.js';
export type { ExpectedContent, ExpectedValues, ExpectingType } from './expected/expected-readers.js';
export type { JsonPath } from './expected/json-path.js';
export {
  equalsAtPath,
  type FirstNodeComparator,
  type JsonPathAssertion,
  type JsonPathComparator,
} from './expected/json-path-assertion.js';
export { ITEMS_MAX, isTooLarge, TOKENS_MAX } from './expected/limits.js';
export { readListItems } from './expected/list-items.js';
export { type MathOptions, MathTarget } from './expected/math/equivalence.js';
export { MathError, type MathErrorCode } from './expected/math/math-error.js';
export { type NumberOptions, type NumberReading, readNumber } from './expected/number-extraction.js';
export { sameDecimal, stripCurrency } from './expected/number-text.js';
export { expectsText, type LiteralProblem, readExpected } from './expected/try-expected.js';
export { collapseWhiteSpace, splitWords } from './expected/words.js';
export * from './json.js';
export type { Violation } from './json-schema/evaluation.js';
export {
  compileJsonSchema,
  type JsonSchema,
  type JsonSchemaReading,
  readJsonSchema,
  type SchemaCheck,
  schemaProblem,
} from './json-schema/json-schema.js';
export * from './pack/model.js';
export { agentView } from './publish/agent-view.js';
export { type ArchiveMember, archiveMembers, attachMembers, memberName } from './publish/archive-members.js';
export { assetsOf, attachArtifacts } from './publish/assets.js';
export { canonicalJson, digestOf } from './publish/digest.js';
export { DEFAULT_LINEUP, deploymentSelector, lineupOf } from './publish/lineup.js';
export { manifestOf } from './publish/manifest.js';
export {
  type ExistingPack,
  type HeaderField,
  type ManifestSection,
  type PublishDecision,
  publishDecision,
} from './publish/publish-decision.js';
export { findAsset, type StagedFile, stagedFiles } from './publish/staged-files.js';
export { StoredCaseError, type StoredCaseRow, storedCases } from './publish/stored-cases.js';
export { editorSchema } from './read/editor-schema.js';
export { inspectEvaluationSpec, readEvaluationSpec } from './read/read-evaluation-spec.js';
export type { PackSummary } from './read/read-pack.js';
export { filesBeside, type PackReading, type ReadOptions, readPack } from './read/read-pack.js';
export { renderTemplate, TemplateError, templateContext } from './templates/template.js';
export { compareCodePoints, countCodePoints } from './text/code-points.js';
export { nearestName, suggestedName } from './text/nearest-name.js';
export { compileRegex, type Regex } from './text/regex.js';
export { isBlank, trim } from './text/white-space.js';
export {
  argumentLookup,
  descend,
  type FillOptions,
  fillTemplate,
  type Lookup,
  PlaceholderError,
  type PlaceholderErrorCode,
} from './tools/fill.js';
export { MockError, mockResponse } from './tools/mock.js';
export {
  isOpaqueObject,
  mapOpaque,
  type OpaqueJson,
  type OpaqueObject,
  OpaqueText,
} from './tools/opaque-text.js';
export { NO_PARAMETERS, parameterSchemaProblem } from './tools/parameters.js';
export {
  isPlaceholder,
  type Placeholder,
  secretKeysOf,
  type TemplatePart,
  templateParts,
} from './tools/placeholder.js';
export { isPlainHttpToPublicHost } from './tools/plain-http.js';
export { admittedKinds, type PackPolicy, primitivesOf } from './tools/policy.js';
export { isPrimitiveName, PRIMITIVE_NAMES, PRIMITIVES, type PrimitiveName } from './tools/primitives.js';
export * from './values/decimal.js';
export * from './values/exact-json.js';
export * from './values/exact-number.js';
export * from './values/json-text.js';
export { valueText } from './values/value-text.js';
export { inspectWorkspaceTool, type ToolProblem } from './workspace-tools/inspect.js';
export type { WorkspaceToolDraft } from './workspace-tools/workspace-tool.js';
