import type { Judge } from '@agentclash/challengepack';
import {
  type Charge,
  JudgeBudget,
  type JudgeRecord,
  type JudgeSample,
  judgeInput,
  nWiseField,
  rankingShare,
} from '@agentclash/grading';
import { type JudgeSamples, type StoredSample, sampleKey } from './judge-samples.js';
import type { JudgeSampling, QuestionSample } from './judge-sampling.js';
import type { Field, JudgedAttempt } from './judged-attempt.js';
import { type Question, questionsAbout, questionsAmong } from './questions.js';
import { SharedBudget } from './shared-budget.js';

interface AttemptJudgingRequest extends JudgedAttempt {
  /** All agents' attempts, where a judge ranks them. */
  field: Field | undefined;
  signal: AbortSignal;
}

/** Requests the missing samples of every judge for one attempt. */
export class AttemptJudging {
  constructor(
    private readonly sampling: JudgeSampling,
    private readonly store: JudgeSamples,
  ) {}

  /**
   * Rankings come first, so that their cost counts in each attempt's budget. Samples are stored as they arrive: a
   * repeat requests only the rest.
   */
  async records(request: AttemptJudgingRequest): Promise<JudgeRecord[]> {
    const known = await this.store.ofAttempt(request.stored.attempt_id);
    const { llm_judges: judges, scorecard } = request.contract.spec;
    const records = new Map<string, JudgeRecord>();
    const budget = new JudgeBudget(scorecard.judge_limits);
    const sharedBudget = new SharedBudget([budget]);
    for (const judge of judges.filter(({ mode }) => mode === 'n_wise')) {
      const record = await this.ranked(judge, request, known);
      for (const sample of record.samples) sharedBudget.charge(chargeOf(sample));
      records.set(judge.key, record);
    }
    const others = judges.filter(({ mode }) => mode !== 'n_wise');
    const sampled = others.map((judge) => this.judged(judge, { ...request, sharedBudget }, known));
    for (const record of await Promise.all(sampled)) records.set(record.judge_key, record);
    return judges.flatMap(({ key }) => records.get(key) ?? []);
  }

  private async judged(
    judge: Judge,
    request: AttemptJudgingRequest & { sharedBudget: SharedBudget },
    known: ReadonlyMap<string, JudgeSample>,
  ): Promise<JudgeRecord> {
    const { key } = judge;
    const input = judgeInput(judge, request.evidence);
    if (input.state !== 'ready') return { judge_key: key, samples: [] };
    const questions = questionsAbout(judge, request.contract.spec.scorecard.judge_limits, input);
    const samples = await Promise.all(
      questions.map(async (question) => {
        const before = known.get(sampleKey(key, question.key));
        if (before !== undefined) {
          request.sharedBudget.charge(chargeOf(before));
          return before;
        }
        const { sample } = await this.sampling.sample(question, request);
        await this.keep(request.stored.run_id, [
          { attemptId: request.stored.attempt_id, judgeKey: key, question: question.key, sample },
        ]);
        return sample;
      }),
    );
    return { judge_key: key, samples };
  }

  private async ranked(
    judge: Judge,
    request: AttemptJudgingRequest,
    known: ReadonlyMap<string, JudgeSample>,
  ): Promise<JudgeRecord> {
    const attempts = request.field?.attempts ?? [];
    const { size, shown } = nWiseField(judge, attempts);
    const record = { judge_key: judge.key, samples: [] };
    if (size < 2) return { ...record, unavailable: 'too_few_agents' };
    const ready = attempts.flatMap(({ id, evidence }) => {
      const input = judgeInput(judge, evidence);
      return shown.includes(id) && input.state === 'ready' ? [{ id, input }] : [];
    });
    if (!shown.includes(request.stored.run_agent_id)) return record;
    const { case_key, repetition } = request.stored;
    const limits = request.contract.spec.scorecard.judge_limits;
    const questions = questionsAmong(judge, limits, { case_key, repetition, shown: ready });
    const sharedBudget = new SharedBudget(ready.map(() => new JudgeBudget(limits)));
    const samples = await Promise.all(
      questions.map(async (question) => {
        const before = known.get(sampleKey(judge.key, question.key));
        if (before !== undefined) return before;
        const sampled = await sampledOnce(request.field, question, () =>
          this.sampling.sample(question, { ...request, sharedBudget }),
        );
        const shares = attempts.flatMap(({ id, stored: { attempt_id: attemptId } }) =>
          shown.includes(id) ? [shareOf(sampled, { id, attemptId, size })] : [],
        );
        await this.keep(request.stored.run_id, shares);
        const own = shares.find(({ attemptId }) => attemptId === request.stored.attempt_id);
        return own?.sample ?? sampled.sample;
      }),
    );
    return { ...record, samples };
  }

  /** An error is not stored: the next scoring requests the sample again. */
  private async keep(runId: string, samples: readonly StoredSample[]): Promise<void> {
    const replied = samples.filter(({ sample }) => sample.state !== 'error');
    if (replied.length > 0) await this.store.add(runId, replied);
  }
}

/** All attempts of a field are scored by the same sample, an error included. */
function sampledOnce(
  field: Field | undefined,
  { key }: Question,
  request: () => Promise<QuestionSample>,
): Promise<QuestionSample> {
  const sampled = field?.samples.get(key) ?? request();
  field?.samples.set(key, sampled);
  return sampled;
}

/** One attempt's part of a sample that ranks several: its share of the ranking and of the cost. */
function shareOf(
  { question, sample }: QuestionSample,
  { id, attemptId, size }: { id: string; attemptId: string; size: number },
): StoredSample {
  const position = sample.ranking?.indexOf(id) ?? -1;
  const ranked = question.order?.length ?? 1;
  const part = (value: number | null) => (value === null ? null : value / ranked);
  const { usage, cost_usd } = sample;
  return {
    attemptId,
    judgeKey: question.judge.key,
    question: question.key,
    sample: {
      ...sample,
      score: position < 0 ? null : rankingShare(position, size),
      usage: usage && { input: part(usage.input), output: part(usage.output) },
      cost_usd: part(cost_usd),
    },
  };
}

function chargeOf({ usage, cost_usd }: JudgeSample): Charge {
  return { tokens: (usage?.input ?? 0) + (usage?.output ?? 0), usd: cost_usd ?? 0 };
}
