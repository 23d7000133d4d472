import type { SandboxResources } from '@agentclash/attempt-plan';
import { type AttemptLimits, formatBytes, type LimitKind, type Usage } from '@agentclash/domain';

/** The limits of an attempt, and its use of them. */
export interface LimitFacts {
  limits: AttemptLimits;
  resources: Pick<SandboxResources, 'memory_bytes'>;
  usage: Pick<Usage, 'input' | 'output' | 'total'>;
  costUsd: number | null;
}

/** A sentence for users on the limit that ended an attempt: its name, its value, and the use. */
export function limitMessage(kind: LimitKind, facts: LimitFacts): string {
  return MESSAGES[kind](facts);
}

const MESSAGES: Record<LimitKind, (facts: LimitFacts) => string> = {
  time: ({ limits }) =>
    `the agent used all of its time: ${count(limits.run_timeout_seconds)} seconds (run_timeout_seconds)`,
  iterations: ({ limits }) =>
    `the agent made all of its model calls: ${count(limits.max_iterations)} (max_iterations)`,
  tool_calls: ({ limits }) =>
    `the agent made all of its tool calls: ${count(limits.max_tool_calls)} (max_tool_calls)`,
  tokens: ({ limits, usage }) =>
    `the agent used ${count(tokensOf(usage))} of ${count(limits.max_total_tokens)} tokens (max_total_tokens)`,
  cost: ({ limits, costUsd }) =>
    `the agent spent ${dollars(costUsd)} of ${dollars(limits.max_cost_usd)} (max_cost_usd)`,
  context: () => 'the conversation is longer than the context of the model',
  output: ({ limits }) =>
    `the output is larger than its limit of ${formatBytes(limits.max_output_bytes)} (max_output_bytes: ${limits.max_output_bytes})`,
  memory: ({ resources }) =>
    `the sandbox needed more than its ${formatBytes(resources.memory_bytes)} of memory (sandbox.memory_bytes: ${resources.memory_bytes})`,
  events: () => 'the attempt recorded as many events as the operator allows (ATTEMPT_EVENTS_MAX)',
};

/** A call that was not made, since it could exceed a limit. */
interface RefusedCall {
  used: number;
  /** Of other calls under way. */
  reserved: number;
  input: number;
  output: number;
  max: number;
}

/**
 * A sentence on a call that the limit of tokens is too small for; where it is too small for every call, with the
 * value that is enough.
 */
export function tokensMessage({ used, reserved, input, output, max }: RefusedCall): string {
  const sentence = `the limit of ${count(max)} tokens (max_total_tokens) is too small for the next call: ${count(used)} are used${held(reserved, count)}, its request has about ${count(input)}, and its reply may have ${count(output)}`;
  if (used + reserved > 0) return sentence;
  return `${sentence}. Set max_total_tokens to ${count(input + output)} or more, or limit the reply of the model`;
}

/** A sentence on a call that the limit of cost is too small for. */
export function costMessage({
  used,
  reserved,
  call,
  max,
}: Record<'used' | 'reserved' | 'call' | 'max', number>) {
  const sentence = `the limit of ${dollars(max)} (max_cost_usd) is too small for the next call: ${dollars(used)} are spent${held(reserved, dollars)}, and it may cost ${dollars(call)}`;
  if (used + reserved > 0) return sentence;
  return `${sentence}. Set max_cost_usd to ${dollars(call)} or more, or limit the reply of the model`;
}

function held(reserved: number, text: (value: number) => string): string {
  return reserved > 0 ? `, calls under way may use ${text(reserved)}` : '';
}

function tokensOf({ total, input, output }: LimitFacts['usage']): number {
  return total ?? (input ?? 0) + (output ?? 0);
}

function count(value: number | null): string {
  return (value ?? 0).toLocaleString('en-US', { maximumFractionDigits: 3 });
}

function dollars(value: number | null): string {
  return `$${(value ?? 0).toLocaleString('en-US', { maximumSignificantDigits: 4 })}`;
}
