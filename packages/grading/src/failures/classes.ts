import type { FailureClassName } from './types.js';

interface ClassFacts {
  readonly code: string;
  readonly agent_fault: boolean;
  /** Severity however well the attempt was observed; otherwise `warning`. */
  readonly severity?: 'info';
  /** Whether it blocks when the steps were observed. */
  readonly blocks?: true;
}

export const FAILURE_CLASSES: { readonly [C in FailureClassName]: ClassFacts } = {
  insufficient_evidence: { code: 'evidence.insufficient', agent_fault: false, severity: 'info' },
  timeout_or_budget_exhaustion: { code: 'workflow.timeout_budget', agent_fault: true, blocks: true },
  policy_violation: { code: 'agent.policy_violation', agent_fault: true, blocks: true },
  provider_failure: { code: 'platform.provider_failure', agent_fault: false },
  sandbox_failure: { code: 'platform.sandbox_failure', agent_fault: false, blocks: true },
  platform_failure: { code: 'platform.failure', agent_fault: false },
  evaluation_fault: { code: 'evaluation.fault', agent_fault: false, severity: 'info' },
  malformed_output: { code: 'agent.malformed_output', agent_fault: true, blocks: true },
  tool_argument_error: { code: 'agent.tool_arguments', agent_fault: true },
  tool_selection_error: { code: 'agent.tool_selection', agent_fault: true },
  dependency_resolution_failure: { code: 'workflow.dependency_resolution', agent_fault: true },
  retrieval_grounding_failure: { code: 'agent.retrieval_grounding', agent_fault: true },
  flaky_non_deterministic: { code: 'evidence.flaky_nondeterministic', agent_fault: false },
  incorrect_final_output: { code: 'agent.output_incorrect', agent_fault: true },
  other: { code: 'agent.other', agent_fault: true },
};
