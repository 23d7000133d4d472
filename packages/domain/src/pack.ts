import { DEPLOYMENT_KINDS, type DeploymentKind } from './agent-config.js';

/** The manners in which agents of a pack are driven. */
export const EXECUTION_MODES = ['native', 'prompt_eval', 'responses', 'multi_turn'] as const;
export type ExecutionMode = (typeof EXECUTION_MODES)[number];

/** The kinds of deployments that each mode can drive. */
const KINDS_BY_MODE: Record<ExecutionMode, readonly DeploymentKind[]> = {
  native: DEPLOYMENT_KINDS,
  responses: DEPLOYMENT_KINDS,
  prompt_eval: ['model', 'endpoint', 'scripted'],
  multi_turn: DEPLOYMENT_KINDS,
};

/** Why a deployment of a kind cannot run a pack of a mode, as the end of a sentence; undefined where it can. */
export function kindProblem(kind: DeploymentKind, mode: ExecutionMode): string | undefined {
  if (KINDS_BY_MODE[mode].includes(kind)) return undefined;
  return `cannot run a pack of mode ${mode}, which has no sandbox to run it in`;
}

/** The states of a published version of a pack. */
export const LIFECYCLE_STATUSES = ['runnable', 'deprecated', 'archived'] as const;

/** Severities of a problem in a document. */
export const PROBLEM_SEVERITIES = ['error', 'warning'] as const;
export type ProblemSeverity = (typeof PROBLEM_SEVERITIES)[number];

/** The end of a conversation whose person gives no turn in time. */
export const HUMAN_TIMEOUT_EFFECTS = ['stop', 'fail'] as const;
export type HumanTimeoutEffect = (typeof HUMAN_TIMEOUT_EFFECTS)[number];
