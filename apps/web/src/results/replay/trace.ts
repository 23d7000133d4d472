import { costText, type ReplayStep } from '@agentclash/api';
import { numberIn, type Payload, recordIn, recordOf, recordsIn, textIn, textOf } from '@agentclash/domain';
import { formatBytes, formatCompact, formatCost, formatCount } from '../../design/format.js';

/** A tool that a model's reply calls. */
export interface ToolUse {
  /** Distinguishes it among the tool uses of its call. */
  key: string;
  name: string;
  arguments: unknown;
  /** The result that a program sent back to the model; absent before, and for tools that have steps of their own. */
  result?: unknown;
  /** The step of the tool, where it has one. */
  step?: number;
}

/** A message that a model was sent, as a line of a conversation. */
export interface SentMessage {
  role: string;
  text: string;
  /** True when the text replaces a message that an earlier step shows, or that is too large. */
  isNote: boolean;
}

/** One model call of an attempt with what belongs to it in other calls. */
export interface CallTrace {
  uses: ToolUse[];
  /** The messages that the call added to the conversation. */
  sent: SentMessage[];
}

/** The model calls of a replay by the numbers of their steps. */
export type Traces = ReadonlyMap<number, CallTrace>;

/**
 * Reads the model calls of an attempt. A tool that our loop executes has a step of its own. A program executes its tools
 * by itself: their results are the messages of a later call.
 */
export function tracesOf(steps: readonly ReplayStep[]): Traces {
  const traces = new Map<number, CallTrace>();
  const waiting = new Map<string, ToolUse[]>();
  const known = new Set<string>();
  for (const { number, type, input, result } of steps) {
    if (type === 'tool.call') {
      const use = waiting.get(textOf(recordOf(input).tool_call_id))?.shift();
      if (use) use.step = number;
    }
    if (type !== 'model.call') continue;
    const sent = sentOf(recordOf(recordOf(input).sent), { waiting, known });
    const reply = recordOf(result);
    const uses = recordsIn(reply, 'tool_calls').map((call, index): ToolUse => {
      const id = textOf(call.id);
      const use: ToolUse = { key: `${index} ${id}`, name: textOf(call.name), arguments: call.arguments };
      waiting.set(id, [...(waiting.get(id) ?? []), use]);
      return use;
    });
    known.add(replyKey(reply));
    traces.set(number, { uses, sent });
  }
  return traces;
}

interface Earlier {
  /** Tool uses without a result, by their ids. */
  waiting: ReadonlyMap<string, ToolUse[]>;
  /** Replies of earlier calls. */
  known: ReadonlySet<string>;
}

/** The messages of a call; the results among them are added to the tool uses that wait for them. */
function sentOf(sent: Payload, { waiting, known }: Earlier): SentMessage[] {
  if (typeof sent.$ref === 'string') {
    const size = formatBytes(numberIn(sent, 'bytes') ?? 0);
    return [{ role: 'messages', text: `${size}, too large to be shown`, isNote: true }];
  }
  return recordsIn(sent, 'messages').map((message): SentMessage => {
    const role = textOf(message.role);
    if (role === 'tool') {
      const name = textOf(message.tool_name);
      const use = 'result' in message ? waiting.get(textOf(message.tool_call_id))?.shift() : undefined;
      if (use) use.result = message.result;
      const isShown = use !== undefined || !('result' in message);
      if (isShown) return { role, text: `result of ${name}, above`, isNote: true };
      return { role, text: `${name}: ${shownText(message.result)}`, isNote: false };
    }
    if (role !== 'assistant') return { role, text: textOf(message.text), isNote: false };
    const isReply = textIn(message, 'call_id') !== undefined || known.has(replyKey(message));
    if (isReply) return { role, text: 'reply to a previous call, above', isNote: true };
    const calls = recordsIn(message, 'tool_calls').map(
      (call) => `${textOf(call.name)} ${shownText(call.arguments)}`,
    );
    return { role, text: [textOf(message.text), ...calls].filter(Boolean).join('\n'), isNote: false };
  });
}

/** The same for a reply, and for the message by which a program repeats it. */
export function replyKey(message: Payload): string {
  const calls = recordsIn(message, 'tool_calls').map(({ id, name }) => [textOf(id), textOf(name)]);
  return JSON.stringify([textOf(message.text).trim(), calls]);
}

/** Any value as text: JSON of all but strings. */
export function shownText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Tokens and cost of a step, short; blank where it has none. */
export function stepFigures({ type, result }: Pick<ReplayStep, 'type' | 'result'>): string {
  if (type !== 'model.call') return '';
  const payload = recordOf(result);
  const usage = recordIn(payload, 'usage') ?? {};
  const [input, output] = [numberIn(usage, 'input'), numberIn(usage, 'output')];
  const servedFrom = textIn(payload, 'served_from');
  return [
    input !== undefined && `${formatCompact(input)} in`,
    output !== undefined && `${formatCompact(output)} out`,
    servedFrom === undefined ? costOfCall(payload) : `from ${servedFrom}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The facts of a model call, as a line of its details. */
export function callFacts(result: unknown): string {
  const payload = recordOf(result);
  const usage = recordIn(payload, 'usage') ?? {};
  const tokens = (name: string, words: string) => {
    const count = numberIn(usage, name);
    return count !== undefined && count > 0 && `${formatCount(count)} ${words}`;
  };
  const tries = numberIn(payload, 'tries') ?? 1;
  const model = textIn(payload, 'response_model') ?? textOf(payload.model);
  const ttft = numberIn(recordOf(payload.timing), 'ttft_ms');
  return [
    model,
    tokens('input', 'tokens in'),
    tokens('cached_input', 'of them cached'),
    tokens('output', 'tokens out'),
    tokens('reasoning', 'of them reasoning'),
    costOfCall(payload),
    ttft !== undefined && `first token after ${formatCount(ttft)} ms`,
    textIn(payload, 'finish_reason')?.replaceAll('_', ' '),
    tries > 1 && `${formatCount(tries)} tries`,
    textIn(payload, 'served_from') !== undefined && `served from ${textOf(payload.served_from)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The totals of the model calls of an attempt: `3 model calls · 5 tool uses · 12K in · 1.1K out · $0.04`. */
export function totalsText(steps: readonly ReplayStep[]): string {
  const calls = steps.filter(({ type }) => type === 'model.call');
  if (calls.length === 0) return '';
  const sum = (of: (payload: Payload) => number | undefined) => {
    const known = calls.flatMap(({ result }) => of(recordOf(result)) ?? []);
    return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
  };
  const tokens = (name: string) => sum((payload) => numberIn(recordOf(payload.usage), name));
  const [input, output] = [tokens('input'), tokens('output')];
  const costUsd = sum((payload) => numberIn(payload, 'cost_usd')) ?? 0;
  const replied = calls.filter(({ result }) => recordIn(recordOf(result), 'usage') !== undefined);
  const isCostKnown = replied.every(({ result }) => numberIn(recordOf(result), 'cost_usd') !== undefined);
  const uses = calls.flatMap(({ result }) => recordsIn(recordOf(result), 'tool_calls')).length;
  return [
    plural(calls.length, 'model call'),
    plural(uses, 'tool use'),
    input !== undefined && `${formatCompact(input)} tokens in`,
    output !== undefined && `${formatCompact(output)} out`,
    isCostKnown
      ? replied.length > 0 && formatCost(costUsd)
      : `cost ${costText({ costUsd, isCostKnown }, formatCost)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Unknown for a reply of a model without a price, and for one that reported no tokens; blank without a reply. */
function costOfCall(payload: Payload): string {
  const usd = numberIn(payload, 'cost_usd');
  if (usd !== undefined) return formatCost(usd);
  return recordIn(payload, 'usage') === undefined ? '' : 'cost unknown';
}

function plural(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;
}
