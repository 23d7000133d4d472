import { ITEMS_MAX } from '@agentclash/challengepack';
import { pointTo } from '../evidence/pointer.js';
import { type ToolCall, toolTrace } from '../evidence/tool-trace.js';
import type { AttemptEvidence } from '../evidence/types.js';
import { type Finding, TOO_LARGE } from './judgement.js';

/** The attempt's tool trace, or the finding when it is too long to grade. */
export function traceOf({ events }: AttemptEvidence): { trace: readonly ToolCall[] } | { tooLong: Finding } {
  const trace = toolTrace(events);
  return trace.length > ITEMS_MAX ? { tooLong: { ...TOO_LARGE, pointer: pointTo(trace) } } : { trace };
}
