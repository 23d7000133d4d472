export * from './access.js';
export * from './agent-configs.js';
export * from './audits.js';
export * from './bus-api.js';
export * from './bus-events.js';
export * from './case-subset.js';
export * from './comparisons.js';
export * from './deployments.js';
export * from './errors.js';
export * from './eval-plans.js';
export * from './event.js';
export * from './execution.js';
export * from './executors.js';
export { membersAt, readFields } from './field-problems.js';
export * from './gates.js';
export { AwaitedTurn, HumanTurn, HumanTurnRequest, PhaseRequest, RequestedPhase } from './human-turns.js';
export * from './leases.js';
export type { McpServer } from './mcp-servers.js';
export * from './message.js';
export * from './model-aliases.js';
export * from './model-calls.js';
export * from './model-slots.js';
export * from './pack-error.js';
export * from './packs.js';
export * from './prices.js';
export * from './profiles.js';
export * from './provider-accounts.js';
export * from './races.js';
export { Applied, CredentialReference, ResourceName, ToolName } from './resources.js';
export * from './reviews.js';
export * from './run-budgets.js';
export * from './run-events.js';
export {
  IMPORTED_ATTEMPTS_MAX,
  ImportedAttempt,
  ImportedAttempts,
  ImportedCount,
  ImportedScores,
  type ImportedStep,
  type ImportedUsage,
  OPEN_IMPORTS_MAX,
  RunImportRequest,
  runImports,
} from './run-imports.js';
export { RetryRequest, RunEdit, RunLimits, RunRequest } from './run-request.js';
export * from './run-views.js';
export * from './runs.js';
export * from './scorecards.js';
export * from './scored-runs.js';
export * from './secret-origins.js';
export * from './storage.js';
export * from './tools.js';
export * from './values.js';
export * from './variants.js';
export * from './vault.js';
export * from './webhooks.js';
