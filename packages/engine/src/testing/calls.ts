import type { AttemptPlan, ScriptStep } from '@agentclash/attempt-plan';
import type { JsonObject, JsonValue } from '@agentclash/challengepack';
import type { Attempt, AttemptHarness } from './attempt-harness.js';
import { attemptPlan } from './plans.js';

/** What the agent read of one call. */
export interface Called {
  ok: boolean;
  result: JsonValue;
}

/** Makes calls in one attempt. */
export async function makeCalls(
  harness: AttemptHarness,
  steps: [string, JsonObject][],
  changes: Partial<AttemptPlan> = {},
): Promise<Attempt & { read: Called[] }> {
  const config = { steps: steps.map(([name, args]): ScriptStep => ({ call: { name, arguments: args } })) };
  const attempt = await harness.run(attemptPlan({ kind: 'scripted', config }, changes));
  const ends = attempt.events.all.filter(({ event_type }) =>
    /^tool\.call\.(completed|failed)$/.test(event_type),
  );
  const read = ends.map(({ event_type, payload }) => ({
    ok: event_type === 'tool.call.completed',
    result: 'result' in payload ? payload.result : null,
  }));
  return { ...attempt, read };
}
