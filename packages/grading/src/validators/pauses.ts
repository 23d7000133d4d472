import { setImmediate } from 'node:timers/promises';
import type { Steps } from '@agentclash/challengepack';

/** Runs a computation to its end, letting the event loop turn at each of its pauses. */
export async function withPauses<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await setImmediate();
  }
}
