import type { AttemptPlan, GraderPlan } from '@agentclash/attempt-plan';
import type { ConversationState } from '../conversation/state.js';

/** Documents that are sent between processes as JSON, by their schema tag. */
interface Documents {
  'agentclash.attempt-plan/1': AttemptPlan;
  'agentclash.grader-plan/1': GraderPlan;
  'agentclash.conversation/1': ConversationState;
}

/**
 * A document that another process of the platform serialized. Throws when it has another tag: a release must not act on
 * a form that it does not support.
 */
export function documentOf<Tag extends keyof Documents>(
  tag: Tag,
  document: Readonly<Record<string, unknown>>,
): Documents[Tag] {
  if (document.schema !== tag) throw new Error(`expected ${tag}, got ${String(document.schema)}`);
  return document as unknown as Documents[Tag];
}
