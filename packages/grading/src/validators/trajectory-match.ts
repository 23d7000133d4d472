import { type ExpectedToolCall, jsonEquals, type ValidatorConfigs } from '@agentclash/challengepack';
import { largestMatching } from '../algorithms/matching.js';
import { pointTo } from '../evidence/pointer.js';
import { type ToolCall, workingCalls } from '../evidence/tool-trace.js';
import { containsFragment } from './arguments-contain.js';
import { type Finding, passIf } from './judgement.js';
import { traceOf } from './tool-calls-target.js';
import type { ValidatorInput } from './validator.js';

type Config = ValidatorConfigs['trajectory_match'];

/** A call beside the steps it may stand for. */
interface Trajectory {
  readonly steps: readonly ExpectedToolCall[];
  readonly calls: readonly ToolCall[];
  readonly fits: (step: ExpectedToolCall, call: ToolCall) => boolean;
}

const MODES: { readonly [M in Config['mode']]: (trajectory: Trajectory) => boolean } = {
  strict: isSameSequence,
  unordered: ({ steps, calls, fits }) => pairsUp({ steps, calls, fits }, steps.length === calls.length),
  subset: ({ steps, calls, fits }) => pairsUp({ steps, calls, fits }, calls.length <= steps.length),
  superset: ({ steps, calls, fits }) => pairsUp({ steps, calls, fits }, steps.length <= calls.length),
};

const ARGUMENT_MODES: { readonly [M in Config['arguments']]: (given: unknown, wanted: unknown) => boolean } =
  {
    ignore: () => true,
    exact: jsonEquals,
    contains: containsFragment,
  };

export function trajectoryMatch({
  evidence,
  expected: steps,
  config,
}: ValidatorInput<'trajectory_match'>): Finding {
  const read = traceOf(evidence);
  if ('tooLong' in read) return read.tooLong;
  const calls = judgedCalls(read.trace, steps, config);
  const agree = ARGUMENT_MODES[config.arguments];
  const fits = (step: ExpectedToolCall, call: ToolCall) =>
    step.tool_name === call.tool_name &&
    (step.arguments === undefined || agree(call.arguments, step.arguments));
  const isMatch = MODES[config.mode]({ steps, calls, fits });
  return {
    ...passIf(isMatch, 'trajectory_mismatch'),
    pointer: pointTo(calls.length > 0 ? calls : read.trace),
  };
}

/** Successful working calls, or all; `submit` is work only where the steps name it. */
function judgedCalls(
  trace: readonly ToolCall[],
  steps: readonly ExpectedToolCall[],
  { include_failed }: Config,
): readonly ToolCall[] {
  const namesSubmit = steps.some(({ tool_name }) => tool_name === 'submit');
  const working = namesSubmit ? trace : workingCalls(trace);
  return include_failed ? working : working.filter(({ failed }) => !failed);
}

function isSameSequence({ steps, calls, fits }: Trajectory): boolean {
  return steps.length === calls.length && steps.every((step, at) => isFit(step, calls[at], fits));
}

function isFit(step: ExpectedToolCall, call: ToolCall | undefined, fits: Trajectory['fits']): boolean {
  return call !== undefined && fits(step, call);
}

/** Whether the smaller side can be matched one to one into the larger, once the sizes allow it. */
function pairsUp({ steps, calls, fits }: Trajectory, sizesAllow: boolean): boolean {
  if (!sizesAllow) return false;
  const needed = Math.min(steps.length, calls.length);
  if (steps.length <= calls.length) return largestMatching(steps, calls, fits) === needed;
  return largestMatching(calls, steps, (call, step) => fits(step, call)) === needed;
}
