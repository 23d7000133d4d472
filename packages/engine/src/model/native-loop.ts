import type { AttemptLimits } from '@agentclash/domain';
import type { Message } from '@agentclash/models';
import { type AttemptEnd, messageEnd } from '../outcome/attempt-end.js';
import { ModelWork, type WorkMeans } from './model-steps.js';

export interface NativeLoopOptions extends WorkMeans {
  /** What the model is told at first: system and user. */
  opening: readonly Message[];
  limits: Pick<AttemptLimits, 'max_iterations' | 'max_output_bytes'>;
  /** News from outside that the model hears before an iteration. */
  news?: (iteration: number) => Promise<string | undefined>;
}

export interface NativeLoopResult {
  end: AttemptEnd;
  iterations: number;
  reminders: number;
}

const REMINDER =
  'You answered without using a tool. Go on with the tools if work is left; when you are done, call submit with your final answer.';

/** Lets a model work with tools until it answers or a limit is reached. Throws AttemptEnded. */
export async function runNativeLoop(options: NativeLoopOptions): Promise<NativeLoopResult> {
  const { limits, news } = options;
  const work = new ModelWork(options, [...options.opening]);
  const tell = (text: string) => work.messages.push({ role: 'user', text });
  /** The text of the reply before, when that was a message without a call. */
  let previous: string | undefined;
  let reminders = 0;
  for (let iteration = 1; iteration <= limits.max_iterations; iteration++) {
    options.check();
    const heard = await news?.(iteration);
    if (heard !== undefined) tell(heard);
    const worked = await work.step();
    if ('end' in worked) return { end: worked.end, iterations: iteration, reminders };
    if ('submitted' in worked) {
      const end = { because: 'answer', finishedBy: 'submit', answer: worked.submitted } as const;
      return { end, iterations: iteration, reminders };
    }
    if ('did' in worked) {
      previous = undefined;
      continue;
    }
    if (previous !== undefined || iteration === limits.max_iterations) {
      const text = worked.said.trim() === '' ? (previous ?? '') : worked.said;
      return { end: messageEnd(text, limits.max_output_bytes), iterations: iteration, reminders };
    }
    previous = worked.said;
    reminders += 1;
    tell(REMINDER);
  }
  return { end: { because: 'limit', limit: 'iterations' }, iterations: limits.max_iterations, reminders };
}
