import type { Judge, JudgeLimits } from '@agentclash/challengepack';
import {
  candidateLabel,
  type JudgeInput,
  type JudgeMessage,
  judgeCacheKey,
  judgeMessages,
  nWiseOrder,
  plannedSamples,
} from '@agentclash/grading';

/** The prompt of one sample, for one model. */
export interface Question {
  judge: Judge;
  /** The name of the model in the pack. */
  model: string;
  /** Counts from 0 within the model. */
  index: number;
  messages: JudgeMessage[];
  /** For n_wise: the agents shown as A, B, C…; null otherwise. */
  order: string[] | null;
  /** Identifies the question within a workspace: equal keys share replies. */
  key: string;
}

type Ready = Extract<JudgeInput, { state: 'ready' }>;

/** The samples of a judge of one attempt. */
export function questionsAbout(
  judge: Judge,
  limits: JudgeLimits,
  { shared, own, expected }: Ready,
): Question[] {
  const messages = judgeMessages(judge, { contexts: [...shared, ...own], expected });
  return samplesOf(judge, limits).map((sample) => question(judge, sample, { messages, order: null }));
}

/** The agents with an output in one case and repetition. */
export interface Round {
  case_key: string;
  repetition: number;
  shown: readonly { id: string; input: Ready }[];
}

/** The samples of a judge that ranks agents. */
export function questionsAmong(judge: Judge, limits: JudgeLimits, round: Round): Question[] {
  const { case_key, repetition, shown } = round;
  const inputs = new Map(shown.map(({ id, input }) => [id, input]));
  const [first] = shown;
  const draw = {
    judge_key: judge.key,
    case_key,
    repetition,
    position_debiasing: judge.position_debiasing,
  };
  return samplesOf(judge, limits).map((sample) => {
    const order = nWiseOrder(draw, [...inputs.keys()], sample.index);
    const candidates = order.map((id, position) => ({
      label: candidateLabel(position),
      texts: inputs.get(id)?.own ?? [],
    }));
    const material = { contexts: first?.input.shared ?? [], expected: first?.input.expected, candidates };
    return question(judge, sample, { messages: judgeMessages(judge, material), order });
  });
}

interface Sample {
  model: string;
  index: number;
}

function samplesOf(judge: Judge, limits: JudgeLimits): Sample[] {
  const indexes = Array.from({ length: plannedSamples(judge, limits) }, (_, index) => index);
  return judge.models.flatMap((model) => indexes.map((index) => ({ model, index })));
}

function question(
  judge: Judge,
  { model, index }: Sample,
  { messages, order }: Pick<Question, 'messages' | 'order'>,
): Question {
  const { temperature, output_schema } = judge;
  const key = judgeCacheKey({
    ...{ model, temperature, messages },
    schema: output_schema ?? null,
    sample_index: index,
  });
  return { judge, model, index, messages, order, key };
}
