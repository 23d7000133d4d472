import type { Model } from '@agentclash/models';
import { agentTools } from '../attempt/assembly.js';
import { AttemptEnded } from '../attempt/attempt-ended.js';
import { messageEnd } from '../attempt/outcome.js';
import type { WorkMeans } from '../loop/model-work.js';
import { runNativeLoop } from '../loop/native-loop.js';
import { raceNews } from '../loop/race-news.js';
import { callModel } from '../model/observed-call.js';
import type { ModelConfig } from '../plan.js';
import { nativeOpening, promptOpening } from '../task/opening.js';
import type { Driven, DriverContext } from './driver.js';

/** Lets a model work: with tools in `native`, with one call in `prompt_eval`. */
export async function driveModel(config: ModelConfig, context: DriverContext): Promise<Driven> {
  if (context.plan.mode === 'prompt_eval') return promptModel(config, context);
  const { plan, task, steps } = context;
  const news = raceNews({ ...context, attemptId: plan.attempt_id, race: plan.race_context, steps });
  const { end } = await runNativeLoop({
    ...workMeans(config, context),
    opening: nativeOpening(config, task),
    limits: plan.limits,
    ...(news && { news }),
  });
  return { end };
}

async function promptModel(config: ModelConfig, context: DriverContext): Promise<Driven> {
  const { plan, task, steps } = context;
  const wereFilled =
    plan.challenge.instructions !== undefined && plan.challenge.instructions !== task.instructions;
  const messages = promptOpening(config, task, wereFilled);
  const means = workMeans(config, context);
  const outputSchema = task.output_schema;
  const request = { messages, tools: [], ...(outputSchema && { outputSchema }) };
  const { text, finishReason } = await steps.take(() => callModel(request, means));
  if (finishReason === 'content_filter' && text.trim() === '') {
    return { end: { because: 'provider', class: 'content_filter' } };
  }
  return { end: messageEnd(text, plan.limits.max_output_bytes) };
}

/** What a model works with. Throws AttemptEnded when its provider cannot be reached from here. */
export function workMeans(config: ModelConfig, context: DriverContext): WorkMeans {
  const { surface, desk, history, spending, stage, steps } = context;
  return {
    model: requireModel(config, context),
    desk,
    tools: agentTools(surface),
    steps,
    events: history.events,
    spending,
    signal: stage.signal,
    check: () => stage.check(),
  };
}

/** Throws AttemptEnded. */
export function requireModel(config: ModelConfig | undefined, { openModel }: DriverContext): Model {
  const model = config && openModel?.(config);
  if (model) return model;
  const message = config ? `no provider ${config.provider_key} is available` : 'no model is named';
  throw new AttemptEnded({ because: 'provider', class: 'unsupported', message });
}
