import type { AttemptEvents } from '../events/attempt-events.js';
import { AttemptEnded } from '../outcome/attempt-end.js';
import type { CanaryDetector, Outgoing } from '../secrets/canary-detector.js';

/** A planted secret on its way out ends the attempt before a byte has left. Throws AttemptEnded. */
export function stopCanaries(
  request: Outgoing,
  { canaries, events, toolCallId }: { canaries: CanaryDetector; events: AttemptEvents; toolCallId: string },
): void {
  const found = canaries.findInRequest(request);
  if (found.length === 0) return;
  const rule = 'canary_in_egress';
  const detail = `a request held the planted ${found.join(', ')}`;
  events.record('policy.violation', { rule, tool_call_id: toolCallId, detail });
  throw new AttemptEnded({ because: 'policy', rule });
}
