import type { AgentTool, AttemptLimits } from '@agentclash/domain';
import type { Message, ModelReply } from '@agentclash/models';
import { type AttemptEnd, messageEnd } from '../outcome/attempt-end.js';
import type { ToolCallHandler } from '../tools/tool-call-handler.js';
import { type CallContext, callModel } from './observed-call.js';
import { NOT_STARTED, SentMessages, type SentState } from './sent-messages.js';
import type { Step, Steps } from './steps.js';

export interface ModelContext extends Omit<CallContext, 'sent'> {
  toolCalls: Pick<ToolCallHandler, 'handle'>;
  tools: readonly AgentTool[];
  steps: Steps;
  /** Throws at the time limit or when the attempt was cancelled. */
  check: () => void;
}

/** The result of one step of a model: served tool calls, a message, an accepted submit, or the end of the attempt. */
export type StepResult = { did: 'work' } | { message: string } | { submitted: string } | { end: AttemptEnd };

/** The steps of a model with its tools: each is one model call and the tool calls of its reply. */
export class ModelSteps {
  private readonly record: SentMessages;

  constructor(
    private readonly context: ModelContext,
    /** The messages to and from the model; every step appends. */
    readonly messages: Message[],
    /** The messages recorded already, of resumed work. */
    sent?: SentState,
  ) {
    this.record = new SentMessages(sent);
  }

  get sent(): SentState | undefined {
    return this.record.state;
  }

  /** Throws AttemptEnded. */
  step(): Promise<StepResult> {
    const { steps, tools } = this.context;
    return steps.run(async (step) => {
      const reply = await callModel(
        { messages: this.messages, tools },
        { ...this.context, sent: this.record },
      );
      const { text, toolCalls, finishReason, continuation } = reply;
      const isSilent = text.trim() === '' && toolCalls.length === 0;
      // Providers refuse messages without content.
      if (!isSilent) {
        const signed = continuation !== undefined && { continuation };
        this.messages.push({ role: 'assistant', text, toolCalls, ...signed });
      }
      if (toolCalls.length > 0) return this.serve(reply, step);
      if (finishReason === 'content_filter' && isSilent) {
        return { end: { because: 'provider', class: 'content_filter' } };
      }
      return { message: text };
    });
  }

  private async serve({ toolCalls }: ModelReply, step: Step): Promise<StepResult> {
    const { toolCalls: handler, check } = this.context;
    let submitted: string | undefined;
    for (const { id, name, arguments: args } of toolCalls) {
      if (submitted !== undefined) {
        this.messages.push({ role: 'tool', toolCallId: id, toolName: name, result: NOT_STARTED });
        continue;
      }
      check();
      step.toolCalls += 1;
      const handled = await handler.handle({ id, name, arguments: args }, { stepIndex: step.index });
      this.messages.push({ role: 'tool', toolCallId: id, toolName: name, result: handled.result });
      if (handled.end) return { end: handled.end };
      submitted = handled.submitted;
    }
    return submitted === undefined ? { did: 'work' } : { submitted };
  }
}

interface NativeLoopOptions extends ModelContext {
  /** The first messages: system and user. */
  opening: readonly Message[];
  limits: Pick<AttemptLimits, 'max_iterations' | 'max_output_bytes'>;
  /** Standings of the race that the model receives before an iteration. */
  standings?: (iteration: number) => Promise<string | undefined>;
}

interface NativeLoopResult {
  end: AttemptEnd;
  iterations: number;
  reminders: number;
}

const REMINDER =
  'You replied without using a tool. Continue with the tools if work is left; when you are done, call submit with your final answer.';

/** Runs a model with its tools until it submits or a limit is reached. Throws AttemptEnded. */
export async function runNativeLoop(options: NativeLoopOptions): Promise<NativeLoopResult> {
  const { limits, standings: news } = options;
  const work = new ModelSteps(options, [...options.opening]);
  const pushUser = (text: string) => work.messages.push({ role: 'user', text });
  /** The text of the reply before, when that was a message without a call. */
  let previous: string | undefined;
  let reminders = 0;
  for (let iteration = 1; iteration <= limits.max_iterations; iteration++) {
    options.check();
    const standingsText = await news?.(iteration);
    if (standingsText !== undefined) pushUser(standingsText);
    const result = await work.step();
    if ('end' in result) return { end: result.end, iterations: iteration, reminders };
    if ('submitted' in result) {
      const end = { because: 'completed', finishedBy: 'submit', output: result.submitted } as const;
      return { end, iterations: iteration, reminders };
    }
    if ('did' in result) {
      previous = undefined;
      continue;
    }
    if (previous !== undefined || iteration === limits.max_iterations) {
      const text = result.message.trim() === '' ? (previous ?? '') : result.message;
      return { end: messageEnd(text, limits.max_output_bytes), iterations: iteration, reminders };
    }
    previous = result.message;
    reminders += 1;
    pushUser(REMINDER);
  }
  return { end: { because: 'limit', limit: 'iterations' }, iterations: limits.max_iterations, reminders };
}
