import type { AgentTool } from '@agentclash/challengepack';
import type { Message, Model, ModelReply } from '@agentclash/models';
import type { AttemptEnd } from '../attempt/outcome.js';
import type { Clock } from '../clock.js';
import type { AttemptEvents } from '../events/attempt-events.js';
import { callModel } from '../model/observed-call.js';
import type { Spending } from '../model/spending.js';
import type { AttemptLimits } from '../plan.js';
import type { ToolDesk } from '../tools/tool-desk.js';

export interface NativeLoopOptions {
  model: Model;
  desk: Pick<ToolDesk, 'handle'>;
  tools: readonly AgentTool[];
  /** What the model is told at first: system and user. */
  opening: readonly Message[];
  limits: Pick<AttemptLimits, 'max_iterations' | 'max_output_bytes'>;
  events: AttemptEvents;
  spending: Spending;
  clock: Pick<Clock, 'monotonic'>;
  signal: AbortSignal;
  /** Throws when time is up or the attempt was cancelled. */
  check: () => void;
}

export interface NativeLoopResult {
  end: AttemptEnd;
  iterations: number;
  reminders: number;
}

const REMINDER =
  'You answered without using a tool. Go on with the tools if work is left; when you are done, call submit with your final answer.';

/** Lets a model work with tools until it answers or a limit is reached. Throws AttemptEnded. */
export async function runNativeLoop(options: NativeLoopOptions): Promise<NativeLoopResult> {
  const loop = new NativeLoop(options);
  for (let iteration = 1; iteration <= options.limits.max_iterations; iteration++) {
    options.check();
    const end = await loop.iterate(iteration);
    if (end) return { end, iterations: iteration, reminders: loop.reminders };
  }
  const iterations = options.limits.max_iterations;
  return { end: { because: 'limit', limit: 'iterations' }, iterations, reminders: loop.reminders };
}

class NativeLoop {
  reminders = 0;
  private readonly messages: Message[];
  /** The text of the reply before this one, when that was a message without a call. */
  private lastMessage: string | undefined;

  constructor(private readonly options: NativeLoopOptions) {
    this.messages = [...options.opening];
  }

  async iterate(iteration: number): Promise<AttemptEnd | undefined> {
    const { events, clock } = this.options;
    const step_index = iteration - 1;
    const startedAt = clock.monotonic();
    events.record('system.step.started', { step_index }, { summary: { step_index } });
    const reply = await this.ask();
    const { end, callCount } = await this.react(reply, iteration);
    const duration_ms = Math.round(clock.monotonic() - startedAt);
    const completed = { step_index, tool_call_count: callCount, duration_ms };
    events.record('system.step.completed', completed, { summary: { step_index } });
    return end;
  }

  private async ask(): Promise<ModelReply> {
    const { model, events, spending, signal, tools } = this.options;
    const reply = await callModel({ messages: this.messages, tools }, { model, events, spending, signal });
    this.messages.push({ role: 'assistant', text: reply.text, toolCalls: reply.toolCalls });
    return reply;
  }

  private async react(
    reply: ModelReply,
    iteration: number,
  ): Promise<{ end?: AttemptEnd; callCount: number }> {
    if (reply.toolCalls.length > 0) {
      this.lastMessage = undefined;
      return this.serve(reply, iteration);
    }
    if (reply.finishReason === 'content_filter' && reply.text === '') {
      return { end: { because: 'provider', class: 'content_filter' }, callCount: 0 };
    }
    const end = this.hear(reply.text, iteration);
    return { ...(end && { end }), callCount: 0 };
  }

  /** A message instead of a call: a reminder the first time, an answer the second. */
  private hear(text: string, iteration: number): AttemptEnd | undefined {
    const previous = this.lastMessage;
    const isLast = iteration === this.options.limits.max_iterations;
    if (previous === undefined && !isLast) {
      this.lastMessage = text;
      this.reminders += 1;
      this.messages.push({ role: 'user', text: REMINDER });
      return undefined;
    }
    return messageEnd(text.trim() === '' ? (previous ?? '') : text, this.options.limits.max_output_bytes);
  }

  private async serve(
    reply: ModelReply,
    iteration: number,
  ): Promise<{ end?: AttemptEnd; callCount: number }> {
    let callCount = 0;
    for (const call of reply.toolCalls) {
      callCount += 1;
      const handled = await this.options.desk.handle(call, { stepIndex: iteration - 1, reply: iteration });
      this.messages.push({ role: 'tool', toolCallId: call.id, toolName: call.name, result: handled.result });
      if (handled.end) return { end: handled.end, callCount };
      if (handled.answer !== undefined) {
        return { end: { because: 'answer', finishedBy: 'submit', answer: handled.answer }, callCount };
      }
    }
    return { callCount };
  }
}

/** The end that a message as an answer means. */
export function messageEnd(text: string, bytesMax: number): AttemptEnd {
  if (text.trim() === '')
    return { because: 'agent_error', code: 'empty_output', message: 'the answer is blank' };
  if (Buffer.byteLength(text) > bytesMax) return { because: 'limit', limit: 'output' };
  return { because: 'answer', finishedBy: 'message', answer: text };
}
