import type { JsonObject } from '@agentclash/challengepack';
import type { Utterance } from '@agentclash/domain';
import {
  type BeginWait,
  type Message,
  type Model,
  ModelCallError,
  type ModelReply,
  type ProviderFailureClass,
} from '@agentclash/models';
import { Spending } from '../model/spending.js';
import { AttemptEnded, endOfCall, type FailedTry, unlessAborted } from '../outcome/attempt-end.js';

/** The input of the simulated user. */
export interface SimulatorInput {
  persona: string;
  payload: JsonObject;
  transcript: readonly Utterance[];
}

export interface Simulated {
  message: string;
  /** Of this message, retries included. */
  spent: Spending;
}

const TRIES = 2;
const ROLE = [
  'You play the user in a conversation with an assistant. Stay in the role of the persona below.',
  'Write only the next message of the user: no name before it, no comment, no quotation marks around it.',
].join('\n');

/** Failures that are an agent's own where it made the call, which it did not here. */
const OURS: { [C in ProviderFailureClass]?: ProviderFailureClass } = {
  context_length: 'invalid_request',
  content_filter: 'invalid_request',
};

/** The model of the user. `spending` is the attempt's account of it. */
export interface SimulatorContext {
  model: Model;
  signal: AbortSignal;
  /** Called when a call begins to wait for its account; the returned function at the end of the wait. */
  beginWait: BeginWait;
  spending: Spending;
}

/** Generates the next message of the user with a model. Throws AttemptEnded when that fails. */
export async function simulateUser(input: SimulatorInput, context: SimulatorContext): Promise<Simulated> {
  const messages = simulatorMessages(input);
  const spent = new Spending({ max_total_tokens: null, max_cost_usd: null });
  for (let tries = 1; tries <= TRIES; tries++) {
    const reply = await call(messages, context);
    for (const account of [spent, context.spending]) account.settle(reply.usage, reply.costUsd);
    const message = reply.text.trim();
    if (message !== '') return { message, spent };
  }
  throw failed('malformed_response', 'the message of the simulated user is blank');
}

function simulatorMessages({ persona, payload, transcript }: SimulatorInput): Message[] {
  const system = `${ROLE}\n\n${persona}`;
  return [
    { role: 'system', text: system },
    { role: 'user', text: JSON.stringify({ payload, transcript }, null, 2) },
  ];
}

async function call(
  messages: readonly Message[],
  { model, signal, beginWait }: SimulatorContext,
): Promise<ModelReply> {
  let failedTry: FailedTry | undefined;
  const onFailedTry = (latest: FailedTry) => {
    failedTry = latest;
  };
  try {
    const request = { messages, tools: [], signal, beginWait, onFailedTry };
    return await unlessAborted(model.call(request), signal);
  } catch (error) {
    if (signal.aborted) throw endOfCall(signal, failedTry);
    if (!(error instanceof ModelCallError)) throw error;
    const { failure, message, details } = error;
    throw failed(OURS[failure] ?? failure, `the simulated user: ${message}`, details.retryAfterSeconds);
  }
}

function failed(failure: ProviderFailureClass, message: string, retryAfterSeconds?: number): AttemptEnded {
  return new AttemptEnded({ because: 'provider', class: failure, message, retryAfterSeconds });
}
