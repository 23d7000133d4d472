import { isJsonObject, type JsonValue } from '@agentclash/challengepack';
import type { AttemptEnd } from '../attempt/outcome.js';
import type { PlannedCase, ScriptConfig, ScriptStep } from '../plan.js';
import { fillFromCase } from '../task/task-document.js';
import type { Driven, DriverContext } from './driver.js';

/** Plays fixed steps through the same dispatch as a model's calls. Ending without an answer is the answer "". */
export async function driveScript(config: ScriptConfig, context: DriverContext): Promise<Driven> {
  let stepCount = 0;
  for (const step of config.steps) {
    context.stage.check();
    const end = await playStep(step, stepCount, { config, context });
    stepCount += 1;
    if (end) return { end, stepCount };
  }
  return { end: { because: 'answer', finishedBy: 'script', answer: '' }, stepCount };
}

interface Play {
  config: ScriptConfig;
  context: DriverContext;
}

async function playStep(step: ScriptStep, step_index: number, play: Play): Promise<AttemptEnd | undefined> {
  const { clock, stage, history, spending } = play.context;
  const summary = { step_index };
  const startedAt = clock.monotonic();
  history.events.record('system.step.started', { step_index }, { summary });
  if (step.delay_ms) await clock.sleep(step.delay_ms, stage.signal);
  const end = await act(step, step_index, play);
  if (step.usage) spending.settle(usageOf(step.usage), null);
  const tool_call_count = 'call' in step ? 1 : 0;
  const duration_ms = Math.round(clock.monotonic() - startedAt);
  history.events.record('system.step.completed', { step_index, tool_call_count, duration_ms }, { summary });
  return end;
}

async function act(
  step: ScriptStep,
  stepIndex: number,
  { config, context }: Play,
): Promise<AttemptEnd | undefined> {
  const { plan, history, desk } = context;
  if ('answer' in step) return answerEnd(fillFromCase(step.answer, plan.case), plan.limits.max_output_bytes);
  if ('message' in step) {
    const message = fillFromCase(step.message, plan.case);
    history.events.record('turn.assistant.message', { turn_index: stepIndex, message });
    return undefined;
  }
  const { name, arguments: args } = step.call;
  const call = { id: `step-${stepIndex}`, name, arguments: fillStrings(args, plan.case) };
  const handled = await desk.handle(call, { stepIndex, reply: stepIndex });
  if (handled.end) return handled.end;
  if (handled.answer !== undefined)
    return { because: 'answer', finishedBy: 'submit', answer: handled.answer };
  if (handled.errorCode === undefined || !config.stop_on_error) return undefined;
  return { because: 'agent_error', code: 'script_stopped', message: `${name} failed: ${handled.errorCode}` };
}

function answerEnd(answer: string, bytesMax: number): AttemptEnd {
  if (Buffer.byteLength(answer) > bytesMax) return { because: 'limit', limit: 'output' };
  return { because: 'answer', finishedBy: 'script', answer };
}

function fillStrings(value: JsonValue, from: PlannedCase): JsonValue {
  if (typeof value === 'string') return fillFromCase(value, from);
  if (Array.isArray(value)) return value.map((entry) => fillStrings(entry, from));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fillStrings(member, from)]));
}

function usageOf({ input_tokens: input = 0, output_tokens: output = 0 }: NonNullable<ScriptStep['usage']>) {
  return { input, output, total: input + output };
}
