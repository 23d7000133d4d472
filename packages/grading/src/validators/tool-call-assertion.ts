import type { ValidatorConfigs } from '@agentclash/challengepack';
import { pointTo } from '../evidence/pointer.js';
import type { ToolCall } from '../evidence/tool-trace.js';
import { containsFragment } from './arguments-contain.js';
import { type Finding, fail, type Judgement, PASS } from './judgement.js';
import { traceOf } from './tool-calls-target.js';
import type { ValidatorInput } from './validator.js';

type Config = ValidatorConfigs['tool_call_assertion'];

export function toolCallAssertion({ evidence, config }: ValidatorInput<'tool_call_assertion'>): Finding {
  const read = traceOf(evidence);
  if ('tooLong' in read) return read.tooLong;
  const successful = read.trace.filter(({ failed }) => !failed);
  const matches = matching(successful, config);
  const pointer = pointTo(matches.length > 0 ? matches : read.trace);
  return { ...judge(matches, successful, config), pointer };
}

function matching(calls: readonly ToolCall[], { tool_name, arguments_contain }: Config): ToolCall[] {
  return calls.filter(
    (call) =>
      (tool_name === undefined || call.tool_name === tool_name) &&
      (arguments_contain === undefined || containsFragment(call.arguments, arguments_contain)),
  );
}

function judge(matches: readonly ToolCall[], successful: readonly ToolCall[], config: Config): Judgement {
  if (isPresenceRequired(config) && matches.length === 0) return fail('call_missing');
  if (config.must_call === false && matches.length > 0) return fail('call_forbidden');
  if (!isCountAllowed(matches.length, config)) return fail('call_count');
  return isInOrder(successful, config) ? PASS : fail('call_order');
}

function isPresenceRequired(config: Config): boolean {
  if (config.must_call !== undefined) return config.must_call;
  const isDescribed = config.tool_name !== undefined || config.arguments_contain !== undefined;
  const isCounted = [config.count, config.min_count, config.max_count].some((count) => count !== undefined);
  return isDescribed && !isCounted;
}

function isCountAllowed(calls: number, { count, min_count, max_count }: Config): boolean {
  const [least, most] = [count ?? min_count ?? 0, count ?? max_count ?? Number.POSITIVE_INFINITY];
  return least <= calls && calls <= most;
}

function isInOrder(calls: readonly ToolCall[], { ordered_tools, order_mode }: Config): boolean {
  if (ordered_tools === undefined) return true;
  let next = 0;
  for (const { tool_name } of calls) if (tool_name === ordered_tools[next]) next += 1;
  const isSubsequence = next === ordered_tools.length;
  return order_mode === 'exact' ? isSubsequence && calls.length === ordered_tools.length : isSubsequence;
}
