import type { EndpointConfig, TaskDocument } from '@agentclash/domain';
import type { AttemptEnd } from '../outcome/attempt-end.js';
import { A2aAgent } from './a2a.js';
import { readAgentReply } from './agent-reply.js';
import type { DriverContext, DriverResult } from './driver.js';
import { endOfStatus, openEndpoint, retryAfterOf } from './endpoint-client.js';

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
  spending.check({ input: 0, output: 0, costUsd: null });
  const sent = await (await openEndpoint(config, context)).post(task);
  if ('because' in sent) return sent;
  const reply = await readAgentReply({ form: 'endpoint', bytes: sent.body }, context);
  if (reply?.usage) spending.settle(usageOf(reply.usage), null);
  const output = reply && history.secrets.redact(reply.output);
  if (output !== undefined && Buffer.byteLength(output) > plan.limits.max_output_bytes) {
    return { because: 'limit', limit: 'output' };
  }
  return endOfEndpointReply({ status: sent.status, ...retryAfterOf(sent, context.clock.now()), output });
}

function usageOf({ input_tokens, output_tokens }: { input_tokens?: number; output_tokens?: number }) {
  const [input = null, output = null] = [input_tokens, output_tokens];
  return { input, output, total: (input ?? 0) + (output ?? 0) };
}

/** The reply of an agent's endpoint; `output` is undefined when the body is not the agreed JSON. */
interface EndpointReply {
  status: number;
  output?: string | undefined;
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
