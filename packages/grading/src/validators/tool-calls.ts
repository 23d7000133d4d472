import {
  type ExpectedToolCall,
  ITEMS_MAX,
  isJsonObject,
  jsonEquals,
  type ValidatorConfigs,
} from '@agentclash/challengepack';
import { largestMatching } from '../algorithms/matching.js';
import { pointTo } from '../evidence/pointer.js';
import { type FinishedToolCall, toolTrace, workingCalls } from '../evidence/tool-trace.js';
import type { AttemptEvidence } from '../evidence/types.js';
import { type Finding, fail, type Judgement, PASS, passIf, TOO_LARGE } from './judgement.js';
import type { ValidatorInput } from './validator.js';

type AssertionConfig = ValidatorConfigs['tool_call_assertion'];

function toolCallAssertion({ evidence, config }: ValidatorInput<'tool_call_assertion'>): Finding {
  const read = traceOf(evidence);
  if ('tooLong' in read) return read.tooLong;
  const successful = read.trace.filter(({ failed }) => !failed);
  const matches = matching(successful, config);
  const pointer = pointTo(matches.length > 0 ? matches : read.trace);
  return { ...judgeCalls(matches, successful, config), pointer };
}

function matching(
  calls: readonly FinishedToolCall[],
  { tool_name, arguments_contain }: AssertionConfig,
): FinishedToolCall[] {
  return calls.filter(
    (call) =>
      (tool_name === undefined || call.tool_name === tool_name) &&
      (arguments_contain === undefined || containsFragment(call.arguments, arguments_contain)),
  );
}

function judgeCalls(
  matches: readonly FinishedToolCall[],
  successful: readonly FinishedToolCall[],
  config: AssertionConfig,
): Judgement {
  if (isPresenceRequired(config) && matches.length === 0) return fail('call_missing');
  if (config.must_call === false && matches.length > 0) return fail('call_forbidden');
  if (!isCountAllowed(matches.length, config)) return fail('call_count');
  return isInOrder(successful, config) ? PASS : fail('call_order');
}

function isPresenceRequired(config: AssertionConfig): boolean {
  if (config.must_call !== undefined) return config.must_call;
  const isDescribed = config.tool_name !== undefined || config.arguments_contain !== undefined;
  const isCounted = [config.count, config.min_count, config.max_count].some((count) => count !== undefined);
  return isDescribed && !isCounted;
}

function isCountAllowed(calls: number, { count, min_count, max_count }: AssertionConfig): boolean {
  const [least, most] = [count ?? min_count ?? 0, count ?? max_count ?? Number.POSITIVE_INFINITY];
  return least <= calls && calls <= most;
}

function isInOrder(
  calls: readonly FinishedToolCall[],
  { ordered_tools, order_mode }: AssertionConfig,
): boolean {
  if (ordered_tools === undefined) return true;
  let next = 0;
  for (const { tool_name } of calls) if (tool_name === ordered_tools[next]) next += 1;
  const isSubsequence = next === ordered_tools.length;
  return order_mode === 'exact' ? isSubsequence && calls.length === ordered_tools.length : isSubsequence;
}

type TrajectoryConfig = ValidatorConfigs['trajectory_match'];

/** A call beside the steps that it may match. */
interface Trajectory {
  readonly steps: readonly ExpectedToolCall[];
  readonly calls: readonly FinishedToolCall[];
  readonly fits: (step: ExpectedToolCall, call: FinishedToolCall) => boolean;
}

const TRAJECTORY_MODES: { readonly [M in TrajectoryConfig['mode']]: (trajectory: Trajectory) => boolean } = {
  strict: isSameSequence,
  unordered: ({ steps, calls, fits }) => pairsUp({ steps, calls, fits }, steps.length === calls.length),
  subset: ({ steps, calls, fits }) => pairsUp({ steps, calls, fits }, calls.length <= steps.length),
  superset: ({ steps, calls, fits }) => pairsUp({ steps, calls, fits }, steps.length <= calls.length),
};

const ARGUMENT_MODES: {
  readonly [M in TrajectoryConfig['arguments']]: (given: unknown, wanted: unknown) => boolean;
} = {
  ignore: () => true,
  exact: jsonEquals,
  contains: containsFragment,
};

function trajectoryMatch({ evidence, expected: steps, config }: ValidatorInput<'trajectory_match'>): Finding {
  const read = traceOf(evidence);
  if ('tooLong' in read) return read.tooLong;
  const calls = judgedCalls(read.trace, steps, config);
  const agree = ARGUMENT_MODES[config.arguments];
  const fits = (step: ExpectedToolCall, call: FinishedToolCall) =>
    step.tool_name === call.tool_name &&
    (step.arguments === undefined || agree(call.arguments, step.arguments));
  const isMatch = TRAJECTORY_MODES[config.mode]({ steps, calls, fits });
  return {
    ...passIf(isMatch, 'trajectory_mismatch'),
    pointer: pointTo(calls.length > 0 ? calls : read.trace),
  };
}

/** Successful working calls, or all; `submit` is work only where the steps name it. */
function judgedCalls(
  trace: readonly FinishedToolCall[],
  steps: readonly ExpectedToolCall[],
  { include_failed }: TrajectoryConfig,
): readonly FinishedToolCall[] {
  const namesSubmit = steps.some(({ tool_name }) => tool_name === 'submit');
  const working = namesSubmit ? trace : workingCalls(trace);
  return include_failed ? working : working.filter(({ failed }) => !failed);
}

function isSameSequence({ steps, calls, fits }: Trajectory): boolean {
  return steps.length === calls.length && steps.every((step, at) => isFit(step, calls[at], fits));
}

function isFit(
  step: ExpectedToolCall,
  call: FinishedToolCall | undefined,
  fits: Trajectory['fits'],
): boolean {
  return call !== undefined && fits(step, call);
}

/** True when the smaller side can be matched one to one into the larger, once the sizes allow it. */
function pairsUp({ steps, calls, fits }: Trajectory, sizesAllow: boolean): boolean {
  if (!sizesAllow) return false;
  const needed = Math.min(steps.length, calls.length);
  if (steps.length <= calls.length) return largestMatching(steps, calls, fits) === needed;
  return largestMatching(calls, steps, (call, step) => fits(step, call)) === needed;
}

/**
 * True when a JSON value contains a fragment: objects by subset, arrays by distinct elements in any order, anything
 * else by deep equality.
 */
export function containsFragment(value: unknown, fragment: unknown): boolean {
  if (Array.isArray(fragment)) return Array.isArray(value) && containsElements(value, fragment);
  if (!isJsonObject(fragment)) return jsonEquals(value, fragment);
  return (
    isJsonObject(value) &&
    Object.entries(fragment).every(
      ([key, part]) => Object.hasOwn(value, key) && containsFragment(value[key], part),
    )
  );
}

function containsElements(elements: readonly unknown[], fragments: readonly unknown[]): boolean {
  if (fragments.length > elements.length) return false;
  const matched = largestMatching(fragments, elements, (part, element) => containsFragment(element, part));
  return matched === fragments.length;
}

/** The attempt's tool trace, or the finding when it is too long to grade. */
function traceOf({ events }: AttemptEvidence): { trace: readonly FinishedToolCall[] } | { tooLong: Finding } {
  const trace = toolTrace(events);
  return trace.length > ITEMS_MAX ? { tooLong: { ...TOO_LARGE, pointer: pointTo(trace) } } : { trace };
}

export const TOOL_CALLS = {
  tool_call_assertion: toolCallAssertion,
  trajectory_match: trajectoryMatch,
};
