import type { ReplayStep } from '@agentclash/api';
import { numberIn, numberOf, recordOf, textIn, textOf } from '@agentclash/domain';
import { formatCompact, formatCost, formatDuration } from '../../design/format.js';
import type { CallFigures, Turn } from './turns.js';

const USUAL_ENDS: ReadonlySet<string> = new Set(['', 'stop', 'tool_calls']);

/** The figures of a model call. */
export function figuresOf({ result, duration_ms }: ReplayStep): CallFigures {
  const payload = recordOf(result);
  const usage = recordOf(payload.usage);
  const timing = recordOf(payload.timing);
  const finish = textOf(payload.finish_reason);
  const servedFrom = textIn(payload, 'served_from');
  return {
    model: textIn(payload, 'response_model') ?? textOf(payload.model),
    inputTokens: numberOf(usage.input),
    outputTokens: numberOf(usage.output),
    cachedTokens: numberOf(usage.cached_input),
    reasoningTokens: numberOf(usage.reasoning),
    costUsd: numberOf(payload.cost_usd),
    firstTokenMs: numberOf(timing.ttft_ms),
    durationMs: numberOf(timing.total_ms) ?? duration_ms,
    tries: numberIn(payload, 'tries') ?? 1,
    ...(!USUAL_ENDS.has(finish) && { finishReason: finish.replaceAll('_', ' ') }),
    ...(servedFrom !== undefined && { servedFrom }),
  };
}

/** The figures of a turn, in the order in which they are shown. */
export function figureTexts(figures: CallFigures): string[] {
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens, costUsd, firstTokenMs, durationMs } =
    figures;
  const tokens = (count: number | null, words: string) =>
    count !== null && count > 0 && `${formatCompact(count)} ${words}`;
  const isReplied = inputTokens !== null || outputTokens !== null;
  return [
    inputTokens !== null && `${formatCompact(inputTokens)} in`,
    tokens(cachedTokens, 'cached'),
    outputTokens !== null && `${formatCompact(outputTokens)} out`,
    tokens(reasoningTokens, 'reasoning'),
    figures.servedFrom === undefined
      ? (costUsd !== null && formatCost(costUsd)) || (isReplied && 'cost unknown')
      : `served from ${figures.servedFrom}`,
    durationMs !== null && formatDuration(durationMs),
    firstTokenMs !== null && `first token ${formatDuration(firstTokenMs)}`,
    figures.finishReason ?? '',
    figures.tries > 1 && `${figures.tries} tries`,
  ].filter((text): text is string => typeof text === 'string' && text !== '');
}

/** True when any text of a turn has the words, in any case of letters. */
export function hasWords(turn: Turn, words: string): boolean {
  return JSON.stringify(turn).toLowerCase().includes(words);
}
