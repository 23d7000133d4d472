import type { RecordedEvent } from '@agentclash/api';
import { type ExecutionEventType, type Payload, type PayloadOf, recordOf, textIn } from '@agentclash/domain';

export type TailKind = 'assistant' | 'prompt' | 'tool' | 'result' | 'problem' | 'output';

/** The text of one event in a lane's tail. */
export interface TailText {
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

export function tailText({
  event_type,
  payload,
}: Pick<RecordedEvent, 'event_type' | 'payload'>): TailText | undefined {
  return Object.hasOwn(TAIL, event_type) ? TAIL[event_type]?.(payload) : undefined;
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
