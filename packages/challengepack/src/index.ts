export type { CaseFile, CaseText } from './case-files/case-file.js';
export { type OpenRows, readCaseFile } from './case-files/read-case-file.js';
export type { Row, RowBatch, RowProblem } from './case-files/rows.js';
export type { ArchiveFormat } from './cases/archive-format.js';
export { drawCaseOrder } from './cases/case-order.js';
export * from './cases/case-text.js';
export { caseFilesystem, workingDirectoryOf } from './cases/working-directory.js';
export type { MemberProblem } from './checks/pack-check.js';
export type { Problem } from './decode/problems.js';
export { describeYamlError } from './decode/yaml-problems.js';
export * from './evaluation-spec/collectors.js';
export {
  HARNESS_COMMAND,
  type HarnessRuntime,
  harnessRuntimes,
  isHarnessAlone,
  usesHarness,
} from './evaluation-spec/harness.js';
export { callCostMaxUsd, callCostUsd, findPriceRow, type PricedUsage } from './evaluation-spec/price-rows.js';
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
export type { ExpectedValues, ExpectingType } from './expected/expected-readers.js';
export {
  equalsAtPath,
  type FirstNodeComparator,
  type JsonPathAssertion,
} from './expected/json-path-assertion.js';
export { ITEMS_MAX, isTooLarge, TOKENS_MAX } from './expected/limits.js';
export { readListItems } from './expected/list-items.js';
export { MathError, type MathErrorCode } from './expected/math/math-error.js';
export { readNumber } from './expected/number-extraction.js';
export { sameDecimal, stripCurrency } from './expected/number-text.js';
export { expectsText, readExpected } from './expected/try-expected.js';
export { collapseWhiteSpace, splitWords } from './expected/words.js';
export * from './json.js';
export {
  compileJsonSchema,
  type JsonSchema,
  readJsonSchema,
  type SchemaCheck,
  schemaProblem,
} from './json-schema/json-schema.js';
export * from './pack/model.js';
export { systemDirectoryOf } from './pack/system-directories.js';
export { agentView, executionModeOf } from './publish/agent-view.js';
export { type ArchiveMember, archiveMembers, attachMembers, memberName } from './publish/archive-members.js';
export { assetsOf, attachArtifacts, filesOf, type NamedFile } from './publish/assets.js';
export {
  buildContext,
  CONTEXT_BYTES_MAX,
  DOCKERFILE_BYTES_MAX,
  pathBelow,
  splitDockerfile,
} from './publish/build-context.js';
export { canonicalJson, digestOf } from './publish/digest.js';
export {
  GRADER_DIRECTORY,
  graderFiles,
  graderPath,
  type PlacedGraderFile,
  scriptRuntime,
} from './publish/grader-files.js';
export { DEFAULT_LINEUP, deploymentSelector, lineupOf } from './publish/lineup.js';
export { manifestOf } from './publish/manifest.js';
export { publishDecision } from './publish/publish-decision.js';
export {
  type ResolvedSolution,
  type SolutionContent,
  SolutionError,
  solutionOf,
} from './publish/solution.js';
export { findAsset, type StagedFile, stagedFiles } from './publish/staged-files.js';
export { readStoredCase, storedCase, storedCases } from './publish/stored-cases.js';
export { editorSchema } from './read/editor-schema.js';
export { type QuickFix, quickFixes } from './read/quick-fix.js';
export { inspectEvaluationSpec, readEvaluationSpec } from './read/read-evaluation-spec.js';
export type { PackSummary } from './read/read-pack.js';
export {
  filesBeside,
  type OpenPack,
  openPack,
  type PackReading,
  type ReadOptions,
  readPack,
} from './read/read-pack.js';
export { renderTemplate, TemplateError, templateContext } from './templates/template.js';
export { compareCodePoints, countCodePoints } from './text/code-points.js';
export { nearestName, suggestedName } from './text/nearest-name.js';
export { compileRegex, type Regex } from './text/regex.js';
export { isBlank, trim } from './text/white-space.js';
export { argumentLookup, descend, fillTemplate, type Lookup, PlaceholderError } from './tools/fill.js';
export {
  argumentProblems,
  type LiteralProblem,
  secretReferences,
  variableProblems,
} from './tools/literal-values.js';
export { serverHeaderProblem, serverSecrets, serverUrlProblem } from './tools/mcp-server.js';
export { MockError, mockResponse } from './tools/mock.js';
export {
  isOpaqueObject,
  mapOpaque,
  type OpaqueJson,
  type OpaqueObject,
  OpaqueText,
} from './tools/opaque-text.js';
export { NO_PARAMETERS, parameterSchemaProblem } from './tools/parameters.js';
export { isPlaceholder, secretKeysOf, templateParts } from './tools/placeholder.js';
export { isPlainHttpToPublicHost } from './tools/plain-http.js';
export { admittedKinds, primitivesOf } from './tools/policy.js';
export { isPrimitiveName, PRIMITIVE_NAMES, PRIMITIVES, type PrimitiveName } from './tools/primitives.js';
export * from './values/decimal.js';
export * from './values/exact-json.js';
export * from './values/exact-number.js';
export * from './values/json-text.js';
export { valueText } from './values/value-text.js';
export { inspectWorkspaceTool } from './workspace-tools/inspect.js';
export type { WorkspaceToolDraft } from './workspace-tools/workspace-tool.js';
