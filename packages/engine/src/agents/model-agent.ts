import type { ModelConfig } from '@agentclash/attempt-plan';
import type { ExecutionMode } from '@agentclash/domain';
import type { Model } from '@agentclash/models';
import { type ModelContext, ModelSteps, runNativeLoop } from '../model/model-steps.js';
import { callModel } from '../model/observed-call.js';
import { peerStandings } from '../model/peer-standings.js';
import { SentMessages } from '../model/sent-messages.js';
import { AttemptEnded, messageEnd } from '../outcome/attempt-end.js';
import { nativeOpening, promptOpening, responsesOpening } from '../task/task-document.js';
import { agentTools } from '../tools/surface.js';
import type { Driver, DriverContext, DriverResult } from './driver.js';

type SingleTurnMode = Exclude<ExecutionMode, 'multi_turn'>;

const BY_MODE: Record<SingleTurnMode, Driver<'model'>> = {
  native: workAlone,
  responses: respond,
  prompt_eval: promptModel,
};

/** Drives a model that is alone with its task. */
export function driveModel(config: ModelConfig, context: DriverContext): Promise<DriverResult> {
  const { mode } = context.plan;
  if (mode === 'multi_turn') throw new Error('a conversation has its own driver');
  return BY_MODE[mode](config, context);
}

/** With tools, until it submits. */
async function workAlone(config: ModelConfig, context: DriverContext): Promise<DriverResult> {
  const { plan, task, steps } = context;
  const standings = peerStandings({ ...context, attemptId: plan.attempt_id, race: plan.race_context, steps });
  const { end } = await runNativeLoop({
    ...modelContext(config, context),
    opening: nativeOpening(config, task),
    limits: plan.limits,
    ...(standings && { standings }),
  });
  return { end };
}

/** With tools, until its first message: there is no reminder and no second turn. */
async function respond(config: ModelConfig, context: DriverContext): Promise<DriverResult> {
  const { task, stage } = context;
  const { max_iterations, max_output_bytes } = context.plan.limits;
  const opening = responsesOpening(config, task, wereInstructionsFilled(context));
  const work = new ModelSteps(modelContext(config, context), opening);
  for (let iteration = 1; iteration <= max_iterations; iteration++) {
    stage.check();
    const result = await work.step();
    if ('end' in result) return result;
    if ('submitted' in result) {
      return { end: { because: 'completed', finishedBy: 'submit', output: result.submitted } };
    }
    if ('message' in result) return { end: messageEnd(result.message, max_output_bytes) };
  }
  return { end: { because: 'limit', limit: 'iterations' } };
}

function wereInstructionsFilled({ plan, task }: DriverContext): boolean {
  const { instructions } = plan.challenge;
  return instructions !== undefined && instructions !== task.instructions;
}

/** One call without tools. */
async function promptModel(config: ModelConfig, context: DriverContext): Promise<DriverResult> {
  const { plan, task, steps } = context;
  const messages = promptOpening(config, task, wereInstructionsFilled(context));
  const modelCall = modelContext(config, context);
  const outputSchema = task.output_schema;
  const request = { messages, tools: [], ...(outputSchema && { outputSchema }) };
  const { text, finishReason } = await steps.run(() =>
    callModel(request, { ...modelCall, sent: new SentMessages() }),
  );
  if (finishReason === 'content_filter' && text.trim() === '') {
    return { end: { because: 'provider', class: 'content_filter' } };
  }
  return { end: messageEnd(text, plan.limits.max_output_bytes) };
}

/** The context of a model's steps. Throws AttemptEnded when its provider is unreachable. */
export function modelContext(config: ModelConfig, context: DriverContext): ModelContext {
  const { surface, toolCalls, history, spending, stage, steps } = context;
  return {
    model: requireModel(config, context),
    toolCalls,
    tools: agentTools(surface),
    steps,
    events: history.events,
    spending,
    signal: stage.signal,
    beginWait: stage.beginWait,
    check: () => stage.check(),
  };
}

/** Throws AttemptEnded. */
export function requireModel(config: ModelConfig | undefined, { openModel }: DriverContext): Model {
  const model = config && openModel?.(config);
  if (model) return model;
  const message = config
    ? `no provider ${config.provider_key} is available`
    : 'the deployment names no model';
  throw new AttemptEnded({ because: 'provider', class: 'unsupported', message });
}
