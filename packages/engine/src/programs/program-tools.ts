import { randomUUID } from 'node:crypto';
import type { AgentTool } from '@agentclash/domain';
import type { BrokerTools, ToolCallResult } from '@agentclash/model-broker';
import type { AttemptEnd } from '../outcome/attempt-end.js';
import type { ToolCallHandler } from '../tools/tool-call-handler.js';
import type { ProgramEnding } from './program-ending.js';

export interface ProgramToolsOptions {
  list: readonly AgentTool[];
  /** Its operations end with the signal of `ending`. */
  toolCalls: Pick<ToolCallHandler, 'handle'>;
  ending: ProgramEnding;
  /** Model calls that the program has begun. */
  modelCalls: () => number;
  /** The end that an error means. */
  endOf: (error: unknown) => AttemptEnd;
}

type Call = Parameters<BrokerTools['call']>[0];

/** Makes the tool calls of a program part of its attempt: they are handled as those of a model in our loop. */
export class ProgramTools implements BrokerTools {
  readonly list: readonly AgentTool[];
  private readonly open = new Set<Promise<unknown>>();
  private count = 0;

  constructor(private readonly options: ProgramToolsOptions) {
    this.list = options.list;
  }

  /** Throws CallRefused. */
  async call(call: Call): Promise<ToolCallResult> {
    this.options.ending.check();
    const handling = this.handle(call, this.step());
    this.open.add(handling);
    try {
      return await handling;
    } finally {
      this.open.delete(handling);
    }
  }

  /** Resolves when no call is under way. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.open);
  }

  private async handle({ name, arguments: args }: Call, stepIndex: number): Promise<ToolCallResult> {
    const { toolCalls, ending, endOf } = this.options;
    const call = { id: randomUUID(), name, arguments: args };
    try {
      const { result, errorCode, end } = await toolCalls.handle(call, { stepIndex });
      if (end?.because === 'limit') ending.later(end);
      else if (end) ending.now(end);
      const text = typeof result === 'string' ? result : JSON.stringify(result);
      return { text, isError: errorCode !== undefined };
    } catch (error) {
      throw ending.now(endOf(error));
    }
  }

  /** Calls between two model calls are of one step. A program without models takes a step with each call. */
  private step(): number {
    return this.options.modelCalls() || this.count++;
  }
}
