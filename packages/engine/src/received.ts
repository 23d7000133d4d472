import type { AttemptPlan, GraderPlan } from '@agentclash/attempt-plan';
import type { ConversationState } from './conversation/state.js';

/** What travels between processes as JSON, by the tag that it carries. */
interface Documents {
  'agentclash.attempt-plan/1': AttemptPlan;
  'agentclash.grader-plan/1': GraderPlan;
  'agentclash.conversation/1': ConversationState;
}

/**
 * A document that a process of ours made of the engine's own type. Throws when it carries another tag: a release that
 * does not know its form must not act on it.
 */
export function received<Tag extends keyof Documents>(
  tag: Tag,
  document: Readonly<Record<string, unknown>>,
): Documents[Tag] {
  if (document.schema !== tag) throw new Error(`expected ${tag}, got ${String(document.schema)}`);
  return document as unknown as Documents[Tag];
}
