import type { HistoryEvent } from '@agentclash/api';
import {
  listOf,
  numberIn,
  numberOf,
  type Payload,
  recordIn,
  recordOf,
  recordsIn,
  textIn,
  textOf,
} from '@agentclash/domain';

/** A call of a tool with its result. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  /** Undefined until the call has ended. */
  result?: string;
  failed: boolean;
  started_at: string;
  ended_at: string;
}

/** A message to the agent. */
export interface Prompt {
  kind: 'prompt';
  role: 'system' | 'user';
  text: string;
  at: string;
}

/** A reply of a model, or of an agent whose models are not observed, with the calls of tools that it led to. */
export interface Reply {
  kind: 'reply';
  text: string;
  call?: {
    id: string;
    provider: string;
    model: string;
    response_model: string | null;
    response_id: string | null;
    finish_reason: string;
    input_tokens: number | null;
    output_tokens: number | null;
    cached_tokens: number | null;
    cost_usd: number | null;
  };
  started_at: string;
  at: string;
  tool_calls: ToolCall[];
}

/** The trajectory of an attempt, by the events of its last delivery. */
export interface Transcript {
  entries: (Prompt | Reply)[];
  final_output: string | null;
  started_at: string | null;
  ended_at: string | null;
}

/** Folds the events of one delivery, in their order. */
export function transcriptOf(events: Iterable<HistoryEvent>): Transcript {
  const fold = new TranscriptFold();
  fold.add(events);
  return fold.transcript;
}

/** Of all texts of a transcript: an export holds one at a time. */
const TEXT_LENGTH_MAX = 64 * 1_048_576;

/** A transcript made of events as they are read; what it does not hold of them is not kept. */
export class TranscriptFold {
  readonly transcript: Transcript = { entries: [], final_output: null, started_at: null, ended_at: null };
  readonly begun = new Map<string, string>();
  hasMessages = false;
  #length = 0;

  /** Throws RangeError beyond the limit of a transcript. */
  add(events: Iterable<HistoryEvent>): void {
    for (const { event_type, payload, occurred_at } of events) {
      this.end(occurred_at);
      READERS[event_type]?.(this, payload, occurred_at);
    }
  }

  end(at: string): void {
    this.transcript.started_at ??= at;
    this.transcript.ended_at = at;
  }

  /** Counts a text of the transcript. */
  keep(text: string): string {
    this.#length += text.length;
    if (this.#length <= TEXT_LENGTH_MAX) return text;
    throw new RangeError(`the transcript of an attempt has more than ${TEXT_LENGTH_MAX} characters`);
  }

  prompt(role: Prompt['role'], text: string, at: string): void {
    this.keep(text);
    if (text !== '') this.transcript.entries.push({ kind: 'prompt', role, text, at });
  }

  get last(): Prompt | Reply | undefined {
    return this.transcript.entries.at(-1);
  }

  /** The reply that further calls of tools belong to. */
  reply(at: string): Reply {
    const { last } = this;
    if (last?.kind === 'reply') return last;
    const reply: Reply = { kind: 'reply', text: '', started_at: at, at, tool_calls: [] };
    this.transcript.entries.push(reply);
    return reply;
  }
}

type Reader = (fold: TranscriptFold, payload: Payload, at: string) => void;

const READERS: Readonly<Record<string, Reader>> = {
  'system.run.started': (fold, { task }, at) => {
    fold.prompt('user', textOf(recordOf(task).instructions), at);
  },
  'model.call.started': (fold, payload, at) => {
    fold.begun.set(textIn(payload, 'call_id') ?? '', at);
  },
  'model.call.messages': readMessages,
  'model.call.completed': readReply,
  'tool.call.started': (fold, payload, at) => {
    fold.begun.set(textIn(payload, 'tool_call_id') ?? '', at);
  },
  'tool.call.completed': (fold, payload, at) => readToolCall(fold, payload, { at, failed: false }),
  'tool.call.failed': (fold, payload, at) => readToolCall(fold, payload, { at, failed: true }),
  'turn.user.message': (fold, payload, at) => fold.prompt('user', textIn(payload, 'message') ?? '', at),
  'turn.assistant.message': (fold, payload, at) => {
    const text = fold.keep(textIn(payload, 'message') ?? '');
    const { last } = fold;
    if (last?.kind === 'reply' && last.text === text) return;
    fold.transcript.entries.push({ kind: 'reply', text, started_at: at, at, tool_calls: [] });
  },
  'system.output.finalized': (fold, payload) => {
    fold.transcript.final_output = textIn(payload, 'final_output') ?? null;
  },
};

/** The first messages are the whole prompt, in place of the instructions; later ones repeat what other events hold. */
function readMessages(fold: TranscriptFold, payload: Payload, at: string): void {
  if (fold.hasMessages) return;
  fold.hasMessages = true;
  const prompts = recordsIn(payload, 'messages').filter(({ role }) => role === 'system' || role === 'user');
  if (prompts.length === 0) return;
  const { entries } = fold.transcript;
  if (entries.every(({ kind }) => kind === 'prompt')) entries.length = 0;
  for (const { role, text } of prompts) fold.prompt(role === 'system' ? 'system' : 'user', textOf(text), at);
}

function readReply(fold: TranscriptFold, payload: Payload, at: string): void {
  const usage = recordIn(payload, 'usage') ?? {};
  const id = textIn(payload, 'call_id') ?? '';
  fold.transcript.entries.push({
    kind: 'reply',
    text: fold.keep(textIn(payload, 'text') ?? ''),
    call: {
      id,
      provider: textIn(payload, 'provider_key') ?? '',
      model: textIn(payload, 'model') ?? '',
      response_model: textIn(payload, 'response_model') ?? null,
      response_id: textIn(payload, 'response_id') ?? null,
      finish_reason: textIn(payload, 'finish_reason') ?? '',
      input_tokens: numberIn(usage, 'input') ?? null,
      output_tokens: numberIn(usage, 'output') ?? null,
      cached_tokens: numberIn(usage, 'cached_input') ?? null,
      cost_usd: numberOf(payload.cost_usd),
    },
    started_at: fold.begun.get(id) ?? at,
    at,
    tool_calls: listOf(payload.tool_calls).map((call) => {
      const { id: callId, name, arguments: given } = recordOf(call);
      fold.keep(JSON.stringify(given) ?? '');
      return {
        ...{ id: textOf(callId), name: textOf(name), arguments: { ...recordOf(given) } },
        ...{ failed: false, started_at: at, ended_at: at },
      };
    }),
  });
}

function readToolCall(
  fold: TranscriptFold,
  payload: Payload,
  { at, failed }: { at: string; failed: boolean },
): void {
  const id = textIn(payload, 'tool_call_id') ?? '';
  const reply = fold.reply(at);
  const known = reply.tool_calls.find((call) => call.id === id);
  const end = {
    result: fold.keep(resultText(payload)),
    ...{ failed, started_at: fold.begun.get(id) ?? at, ended_at: at },
  };
  if (known !== undefined) {
    Object.assign(known, end);
    return;
  }
  const name = textIn(payload, 'tool_name') ?? '';
  reply.tool_calls.push({ id, name, arguments: { ...recordOf(payload.arguments) }, ...end });
}

function resultText({ result, error }: Payload): string {
  const value = result ?? error ?? null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
