/** The manners in which agents of a pack are driven. */
export const EXECUTION_MODES = ['native', 'prompt_eval', 'responses', 'multi_turn'] as const;
export type ExecutionMode = (typeof EXECUTION_MODES)[number];

/** The states of a published version of a pack. */
export const LIFECYCLE_STATUSES = ['runnable', 'deprecated', 'archived'] as const;

/** Severities of a problem in a document. */
export const PROBLEM_SEVERITIES = ['error', 'warning'] as const;
export type ProblemSeverity = (typeof PROBLEM_SEVERITIES)[number];

/** The end of a conversation whose person gives no turn in time. */
export const HUMAN_TIMEOUT_EFFECTS = ['stop', 'fail'] as const;
export type HumanTimeoutEffect = (typeof HUMAN_TIMEOUT_EFFECTS)[number];
