import type { LiveEvent, RecordedEvent } from '@agentclash/api';
import {
  type EventSource,
  type ExecutionEventType,
  type Payload,
  type PayloadOf,
  recordOf,
  recordsIn,
  textIn,
  textOf,
} from '@agentclash/domain';

export interface TailLine {
  /** Of its event: the order of the lines, and their key. */
  position: number;
  caseKey: string;
  kind: TailKind;
  text: string;
}

const TAIL_LINES = 40;
const STREAMED_CHARACTERS = 280;

/** The last events of a lane as text, and what a model streams. */
export class LaneOutput {
  tail: readonly TailLine[] = [];
  /** The last characters that a model streams in its current call; of several models the latest. */
  streaming: { callId: string; caseKey: string; text: string } | null = null;

  append(event: RecordedEvent): void {
    // Records of scoring are no output of the agent.
    if (event.source === 'worker_scoring') return;
    if (textIn(event.payload, 'call_id') === this.streaming?.callId) this.streaming = null;
    const text = tailText(event) ?? toolUses(event);
    if (text === undefined) return;
    const line = { position: event.position, caseKey: event.case_key ?? '', ...text };
    this.tail = [...this.tail.slice(1 - TAIL_LINES), line];
  }

  stream({ case_key: caseKey = '', payload: { call_id: callId, text } }: LiveEvent): void {
    const before = this.streaming?.callId === callId ? this.streaming.text : '';
    this.streaming = { callId, caseKey, text: (before + text).slice(-STREAMED_CHARACTERS) };
  }
}

export type TailKind = 'assistant' | 'prompt' | 'tool' | 'result' | 'problem' | 'output';

/** The text of one event in a lane's tail. */
interface TailText {
  kind: TailKind;
  text: string;
}

const TEXT_MAX = 240;

/** By event type; other events have no line. All of it is plain text of agents, tools or models: never markup. */
const TAIL: Readonly<Record<string, (payload: Payload) => TailText | undefined>> = {
  'model.call.completed': (payload) => tailLine('assistant', textIn(payload, 'text')),
  'model.call.failed': (payload) => tailLine('problem', textIn(payload, 'message')),
  'turn.user.message': (payload) => tailLine('prompt', textIn(payload, 'message')),
  'turn.assistant.message': (payload) => tailLine('assistant', textIn(payload, 'message')),
  'tool.call.started': (payload) => ({
    kind: 'tool',
    text: cut(`${textIn(payload, 'tool_name') ?? 'tool'} ${compact(payload.arguments)}`),
  }),
  'tool.call.completed': (payload) => tailLine('result', compact(payload.result)),
  'tool.call.failed': (payload) => tailLine('problem', textIn(recordOf(payload.error), 'message')),
  'sandbox.command.completed': (payload) =>
    tailLine('result', textIn(payload, 'stdout_tail') || textIn(payload, 'stderr_tail')),
  'policy.violation': (payload) =>
    tailLine('problem', `${textIn(payload, 'rule')}: ${compact(payload.detail)}`),
  'system.output.finalized': (payload) => tailLine('output', textIn(payload, 'final_output')),
  'system.run.failed': (payload) => tailLine('problem', textIn(recordOf(payload.error), 'message')),
} satisfies { [T in ExecutionEventType]?: (payload: PayloadOf<T>) => TailText | undefined };

function tailText({
  event_type,
  payload,
}: Pick<RecordedEvent, 'event_type' | 'payload'>): TailText | undefined {
  return Object.hasOwn(TAIL, event_type) ? TAIL[event_type]?.(payload) : undefined;
}

const PROGRAM = 'program_agent' satisfies EventSource;
const REPLIED = 'model.call.completed' satisfies ExecutionEventType;

/** The tools of a reply without a text. A program executes them by itself, without events of their own. */
function toolUses({ source, event_type, payload }: RecordedEvent): TailText | undefined {
  if (source !== PROGRAM || event_type !== REPLIED) return undefined;
  const uses = recordsIn(payload, 'tool_calls').map(
    (call) => `${textOf(call.name)} ${compact(call.arguments)}`,
  );
  return tailLine('tool', uses.join('; '));
}

function tailLine(kind: TailKind, text: string | undefined): TailText | undefined {
  return text === undefined || text.trim() === '' ? undefined : { kind, text: cut(text) };
}

function compact(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** On one line, and short. */
function cut(text: string): string {
  // Only the beginning of a long text is shown.
  const line = text
    .slice(0, 4 * TEXT_MAX)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > TEXT_MAX ? `${line.slice(0, TEXT_MAX - 1)}…` : line;
}
