import type { AttemptLimits } from '@agentclash/domain';
import type { Message } from '@agentclash/models';
import { type AttemptEnd, messageEnd } from '../outcome/attempt-end.js';
import { type ModelContext, ModelSteps } from './model-steps.js';

export interface NativeLoopOptions extends ModelContext {
  /** The first messages: system and user. */
  opening: readonly Message[];
  limits: Pick<AttemptLimits, 'max_iterations' | 'max_output_bytes'>;
  /** Standings of the race that the model receives before an iteration. */
  standings?: (iteration: number) => Promise<string | undefined>;
}

export interface NativeLoopResult {
  end: AttemptEnd;
  iterations: number;
  reminders: number;
}

const REMINDER =
  'You replied without using a tool. Continue with the tools if work is left; when you are done, call submit with your final answer.';

/** Runs a model with its tools until it submits or a limit is reached. Throws AttemptEnded. */
export async function runNativeLoop(options: NativeLoopOptions): Promise<NativeLoopResult> {
  const { limits, standings: news } = options;
  const work = new ModelSteps(options, [...options.opening]);
  const pushUser = (text: string) => work.messages.push({ role: 'user', text });
  /** The text of the reply before, when that was a message without a call. */
  let previous: string | undefined;
  let reminders = 0;
  for (let iteration = 1; iteration <= limits.max_iterations; iteration++) {
    options.check();
    const standingsText = await news?.(iteration);
    if (standingsText !== undefined) pushUser(standingsText);
    const result = await work.step();
    if ('end' in result) return { end: result.end, iterations: iteration, reminders };
    if ('submitted' in result) {
      const end = { because: 'completed', finishedBy: 'submit', output: result.submitted } as const;
      return { end, iterations: iteration, reminders };
    }
    if ('did' in result) {
      previous = undefined;
      continue;
    }
    if (previous !== undefined || iteration === limits.max_iterations) {
      const text = result.message.trim() === '' ? (previous ?? '') : result.message;
      return { end: messageEnd(text, limits.max_output_bytes), iterations: iteration, reminders };
    }
    previous = result.message;
    reminders += 1;
    pushUser(REMINDER);
  }
  return { end: { because: 'limit', limit: 'iterations' }, iterations: limits.max_iterations, reminders };
}
