import type { Pricing } from '@agentclash/challengepack';
import type { StoredEvidence } from '@agentclash/contracts';
import {
  type Charge,
  candidateLabel,
  type JudgeSample,
  type JudgeUsage,
  promptHash,
  type ReplyReading,
  worstCase,
} from '@agentclash/grading';
import { ModelCallError, type ModelReply } from '@agentclash/models';
import type { Contract } from '../contract.js';
import type { Grader } from '../grading/grader.js';
import type { JudgeSamples } from './judge-samples.js';
import type { JudgeModel } from './open-judge-model.js';
import type { Question } from './questions.js';
import type { SharedBudget } from './shared-budget.js';

/** Opens the models of judges as the run pinned them. */
export interface JudgeModels {
  /** Undefined when the run did not pin the model: it was created under another evaluation spec. */
  open(question: Question, stored: StoredEvidence, pricing: Pricing): JudgeModel | undefined;
}

export interface SamplingContext {
  stored: StoredEvidence;
  contract: Contract;
  sharedBudget: SharedBudget;
  signal: AbortSignal;
}

/** A sample before it is assigned to attempts: for n_wise its ranking holds labels, and it has no score. */
export interface QuestionSample {
  question: Question;
  sample: JudgeSample;
}

type Reply = Pick<JudgeSample, 'reply' | 'usage' | 'cost_usd' | 'tries' | 'cached'>;
const UNASKED: Reply = { reply: null, usage: null, cost_usd: null, tries: 0, cached: false };

/** Takes one sample: from the cache, else from the model within the budget. A failure is an error of the sample. */
export class JudgeSampling {
  constructor(
    private readonly models: JudgeModels,
    private readonly store: JudgeSamples,
    private readonly grader: Pick<Grader, 'readReply'>,
  ) {}

  async sample(question: Question, context: SamplingContext): Promise<QuestionSample> {
    const { workspace_id } = context.stored;
    const known = await this.store.findReply(workspace_id, question.key);
    if (known !== undefined) {
      const reply = { ...UNASKED, reply: known, cost_usd: 0, cached: true };
      return { question, sample: await this.read(question, reply) };
    }
    const called = await this.call(question, context);
    if ('reason' in called) return { question, sample: failed(question, called) };
    const sample = await this.read(question, called.reply);
    if (sample.state !== 'error' && sample.reply !== null) {
      await this.store.addReply(workspace_id, question.key, sample.reply);
    }
    return { question, sample };
  }

  private async call(
    question: Question,
    { stored, contract, sharedBudget, signal }: SamplingContext,
  ): Promise<{ reply: Reply } | { reason: string; tries: number }> {
    const opened = this.models.open(question, stored, contract.spec.pricing);
    if (opened === undefined) return { reason: 'provider_account_required', tries: 0 };
    const { model, price } = opened;
    const worst = worstCase(question.messages, price);
    const messages = question.messages.map(({ role, content }) => ({ role, text: content }));
    try {
      const reply = await sharedBudget.reserve(worst, async () => {
        const result = await model.call({ messages, tools: [], signal });
        return { result, used: chargeOf(result, worst) };
      });
      return reply === undefined ? { reason: 'judge_budget', tries: 0 } : { reply: replyOf(reply) };
    } catch (error) {
      if (!(error instanceof ModelCallError)) throw error;
      return { reason: `provider_${error.failure}`, tries: error.details.tries };
    }
  }

  private async read(question: Question, reply: Reply): Promise<JudgeSample> {
    const { judge, order } = question;
    const labels = order?.map((_, position) => candidateLabel(position)) ?? [];
    const { mode, expect, score_scale, output_schema } = judge;
    const rules = { mode, expect, score_scale, ...(output_schema && { output_schema }) };
    const reading = await this.grader.readReply(rules, reply.reply ?? '', labels);
    return { ...identity(question), ...reply, ...reading, ranking: agentsOf(reading, order) };
  }
}

function identity({ model, index, order, messages }: Question) {
  return { model, index, order, ranking: null, prompt_hash: promptHash(messages) };
}

function failed(question: Question, { reason, tries }: { reason: string; tries: number }): JudgeSample {
  return { ...identity(question), ...UNASKED, state: 'error', reason, score: null, tries };
}

/** The agents behind the labels, best first. */
function agentsOf({ ranking }: ReplyReading, order: readonly string[] | null): string[] | null {
  if (ranking === null || order === null) return null;
  const byLabel = new Map(order.map((agent, position) => [candidateLabel(position), agent]));
  return ranking.flatMap((label) => byLabel.get(label) ?? []);
}

function replyOf({ text, usage: { input, output }, costUsd, tries }: ModelReply): Reply {
  const usage: JudgeUsage = { input, output };
  return { reply: text, usage, cost_usd: costUsd, tries, cached: false };
}

/** Usage that a provider does not report counts as the worst case. */
function chargeOf({ usage, costUsd }: ModelReply, worst: Charge): Charge {
  const { total, input, output } = usage;
  const sum = input === null || output === null ? null : input + output;
  return { tokens: total ?? sum ?? worst.tokens, usd: costUsd ?? worst.usd };
}
