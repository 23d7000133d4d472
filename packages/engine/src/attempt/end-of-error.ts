import { BudgetExhausted } from '@agentclash/models';
import { isSandboxError } from '@agentclash/sandbox';
import {
  type AttemptEnd,
  AttemptEnded,
  BUDGET_EXHAUSTED,
  CPU_STARVED,
  deathOf,
  endOfDeadSandbox,
} from '../outcome/attempt-end.js';
import { ToolError } from '../outcome/tool-error.js';
import { ToolCatalogError } from '../tools/catalog.js';

/** Maps a thrown value to an end. An unexpected one is ours, and its text stays in our log. */
export function endOfError(error: unknown): AttemptEnd {
  if (error instanceof AttemptEnded) return error.end;
  if (error instanceof BudgetExhausted) return BUDGET_EXHAUSTED;
  if (isSandboxError(error, 'sandbox_dead')) return endOfDeadSandbox(deathOf(error));
  if (isSandboxError(error, 'cpu_starved')) return CPU_STARVED;
  if (isSandboxError(error) || error instanceof ToolError) {
    return { because: 'infra', code: `sandbox_${error.code}`, message: 'the sandbox failed' };
  }
  if (error instanceof ToolCatalogError) {
    const message = `the tool ${error.tool} cannot be used`;
    return { because: 'infra', code: error.code, message, isPermanent: true };
  }
  return { because: 'infra', code: 'internal', message: 'an internal error of the platform' };
}

/** True when the error is logged: an expected end is not. */
export function mustBeLogged(error: unknown): boolean {
  if (error instanceof BudgetExhausted) return false;
  return !(error instanceof AttemptEnded) || error.end.because === 'infra';
}
