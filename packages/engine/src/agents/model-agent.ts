import { agentTools } from '../attempt/assembly.js';
import { AttemptEnded } from '../attempt/attempt-ended.js';
import { messageEnd, runNativeLoop } from '../loop/native-loop.js';
import { callModel } from '../model/observed-call.js';
import type { ModelConfig } from '../plan.js';
import { nativeOpening, promptOpening } from '../task/opening.js';
import type { Driven, DriverContext } from './driver.js';

/** Lets a model work: with tools in `native`, with one call in `prompt_eval`. */
export async function driveModel(config: ModelConfig, context: DriverContext): Promise<Driven> {
  const model = context.openModel?.(config);
  if (!model) {
    const message = `no provider ${config.provider_key} is available`;
    throw new AttemptEnded({ because: 'provider', class: 'unsupported', message });
  }
  const { plan, task, surface, desk, history, spending, clock, stage } = context;
  const { events } = history;
  if (plan.mode === 'native') {
    const loop = await runNativeLoop({
      model,
      desk,
      tools: agentTools(surface),
      opening: nativeOpening(config, task),
      limits: plan.limits,
      events,
      spending,
      clock,
      signal: stage.signal,
      check: () => stage.check(),
    });
    return { end: loop.end, stepCount: loop.iterations };
  }
  const wereFilled =
    plan.challenge.instructions !== undefined && plan.challenge.instructions !== task.instructions;
  const messages = promptOpening(config, task, wereFilled);
  const reply = await callModel({ messages, tools: [] }, { model, events, spending, signal: stage.signal });
  if (reply.finishReason === 'content_filter' && reply.text === '') {
    return { end: { because: 'provider', class: 'content_filter' }, stepCount: 1 };
  }
  return { end: messageEnd(reply.text, plan.limits.max_output_bytes), stepCount: 1 };
}
