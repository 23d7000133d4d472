import type { PlannedCase, ScriptConfig, ScriptStep } from '@agentclash/attempt-plan';
import { isJsonObject, type JsonValue } from '@agentclash/challengepack';
import type { Step } from '../model/steps.js';
import type { AttemptEnd } from '../outcome/attempt-end.js';
import { fillFromCase } from '../task/task-document.js';
import type { DriverContext, DriverResult } from './driver.js';

/** The result of one entry of a script; undefined when the script continues. */
export type EntryResult =
  | { message: string }
  | { output: string }
  | { submitted: string }
  | { end: AttemptEnd };

/** Runs fixed steps through the same dispatch as a model's calls. A script without an `answer` completes with "". */
export async function driveScript(config: ScriptConfig, context: DriverContext): Promise<DriverResult> {
  for (const entry of config.steps) {
    const played = await runEntry(entry, config, context);
    if (!played) continue;
    if ('end' in played) return played;
    if ('submitted' in played) {
      return { end: { because: 'completed', finishedBy: 'submit', output: played.submitted } };
    }
    if ('output' in played) return { end: scriptEnd(played.output, context) };
    const { history, steps } = context;
    history.events.record('turn.assistant.message', { turn_index: steps.count - 1, message: played.message });
  }
  return { end: scriptEnd('', context) };
}

/** Plays one entry of a script. Throws AttemptEnded. */
export async function runEntry(
  entry: ScriptStep,
  config: ScriptConfig,
  context: DriverContext,
): Promise<EntryResult | undefined> {
  const { clock, stage, spending, steps } = context;
  stage.check();
  return steps.run(async (step) => {
    if (entry.delay_ms) await clock.sleep(entry.delay_ms, stage.signal);
    const played = await act(entry, step, { config, context });
    if (entry.usage) spending.settle(usageOf(entry.usage), null);
    return played;
  });
}

async function act(
  entry: ScriptStep,
  step: Step,
  { config, context }: { config: ScriptConfig; context: DriverContext },
): Promise<EntryResult | undefined> {
  const { plan, toolCalls } = context;
  if ('answer' in entry) return { output: fillFromCase(entry.answer, plan.case) };
  if ('message' in entry) return { message: fillFromCase(entry.message, plan.case) };
  const { name, arguments: args } = entry.call;
  step.toolCalls += 1;
  const call = { id: `step-${step.index}`, name, arguments: fillStrings(args, plan.case) };
  const handled = await toolCalls.handle(call, { stepIndex: step.index });
  if (handled.end) return { end: handled.end };
  if (handled.submitted !== undefined) return { submitted: handled.submitted };
  if (handled.errorCode === undefined || !config.stop_on_error) return undefined;
  const message = `${name} failed: ${handled.errorCode}`;
  return { end: { because: 'agent_error', code: 'script_stopped', message } };
}

function scriptEnd(output: string, { plan }: DriverContext): AttemptEnd {
  if (Buffer.byteLength(output) > plan.limits.max_output_bytes) return { because: 'limit', limit: 'output' };
  return { because: 'completed', finishedBy: 'script', output: output };
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
