import { isSandboxError } from '@agentclash/sandbox';
import { type AttemptEnd, AttemptEnded, CPU_STARVED, endOfDeadSandbox } from '../outcome/attempt-end.js';
import { ToolError } from '../outcome/tool-error.js';
import { ToolCatalogError } from '../tools/catalog.js';

/** The end that something thrown means. What nobody foresaw is ours, and its text stays in our log. */
export function endOfFault(fault: unknown): AttemptEnd {
  if (fault instanceof AttemptEnded) return fault.end;
  if (isSandboxError(fault, 'sandbox_dead')) return endOfDeadSandbox(fault.death ?? 'killed');
  if (isSandboxError(fault, 'cpu_starved')) return CPU_STARVED;
  if (isSandboxError(fault) || fault instanceof ToolError) {
    return { because: 'infra', code: `sandbox_${fault.code}`, message: 'the sandbox failed' };
  }
  if (fault instanceof ToolCatalogError) {
    return { because: 'infra', code: fault.code, message: `the tool ${fault.tool} cannot be used` };
  }
  return { because: 'infra', code: 'internal', message: 'something went wrong on our side' };
}

/** Whether the log should hear of it: an end that somebody decided is no news. */
export function isNoteworthy(fault: unknown): boolean {
  return !(fault instanceof AttemptEnded) || fault.end.because === 'infra';
}
