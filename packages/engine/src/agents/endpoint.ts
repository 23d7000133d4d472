import type { EndpointConfig, TaskDocument } from '@agentclash/domain';
import type { EgressResult } from '@agentclash/egress';
import { z } from 'zod';
import type { AttemptEnd } from '../outcome/attempt-end.js';
import { A2aAgent } from './a2a.js';
import type { DriverContext, DriverResult } from './driver.js';
import { endOfStatus, openEndpoint, retryAfterOf } from './endpoint-client.js';
import { untrustedJson } from './untrusted-json.js';

const Tokens = z.number().int().min(0).optional().catch(undefined);
const Reply = z.object({
  output: z.string(),
  usage: z.object({ input_tokens: Tokens, output_tokens: Tokens }).optional().catch(undefined),
});

/** Sends the task to a remote agent; its reply is the final output. */
export async function driveEndpoint(config: EndpointConfig, context: DriverContext): Promise<DriverResult> {
  if (config.protocol !== 'a2a') return { end: await callEndpoint(config, context.task, context) };
  const agent = new A2aAgent(config, context);
  try {
    return { end: await agent.solve(context.task) };
  } finally {
    await agent.cancel();
  }
}

/** Calls an endpoint once. Throws AttemptEnded at the time limit or when the attempt was cancelled. */
export async function callEndpoint(
  config: EndpointConfig,
  task: TaskDocument,
  context: DriverContext,
): Promise<AttemptEnd> {
  const { spending, history, plan } = context;
  // The tokens of a reply are only known afterwards: the budget must not be spent before.
  spending.reserve({ input: 0, output: 0, costUsd: null });
  const sent = await (await openEndpoint(config, context)).post(task);
  if ('because' in sent) return sent;
  const reply = readReply(sent, context.clock.now());
  if (reply.usage) spending.settle(reply.usage, null);
  const output = reply.output === undefined ? undefined : history.secrets.redact(reply.output);
  if (output !== undefined && Buffer.byteLength(output) > plan.limits.max_output_bytes) {
    return { because: 'limit', limit: 'output' };
  }
  return endOfEndpointReply({ ...reply, output });
}

interface ReadReply extends EndpointReply {
  usage?: { input: number | null; output: number | null; total: number };
}

function readReply(result: EgressResult, nowMs: number): ReadReply {
  const base = { status: result.status, ...retryAfterOf(result, nowMs) };
  const parsed = Reply.safeParse(untrustedJson(result.body));
  if (!parsed.success) return base;
  const { output, usage } = parsed.data;
  return { ...base, output, ...(usage && { usage: usageOf(usage) }) };
}

function usageOf({ input_tokens, output_tokens }: { input_tokens?: number; output_tokens?: number }) {
  const [input = null, output = null] = [input_tokens, output_tokens];
  return { input, output, total: (input ?? 0) + (output ?? 0) };
}

/** The reply of an agent's endpoint; `output` is undefined when the body is not the agreed JSON. */
interface EndpointReply {
  status: number;
  output?: string;
  retryAfterSeconds?: number;
}

/** Maps an endpoint's reply to an end. */
export function endOfEndpointReply({ status, output, retryAfterSeconds }: EndpointReply): AttemptEnd {
  const failed = endOfStatus(status, retryAfterSeconds);
  if (failed) return failed;
  if (output === undefined || status < 200 || status >= 300) {
    return { because: 'agent_error', code: 'malformed_reply', message: 'the reply is not {"output": …}' };
  }
  if (output.trim() === '') return { because: 'agent_error', code: 'empty_output' };
  return { because: 'completed', finishedBy: 'endpoint', output: output };
}
