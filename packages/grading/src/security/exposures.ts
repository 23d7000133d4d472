import { jsonText } from '@agentclash/challengepack';
import { isRecord, textIn } from '@agentclash/domain';
import type { EvidenceEvent } from '../evidence/types.js';

/** A text of the attempt and the event it stands in; sequence 0 is before every event. */
export interface Exposure {
  readonly text: string;
  readonly sequence_number: number;
  /** The path of the workspace file it was found in, and the check that captured it. */
  readonly file?: { readonly path: string; readonly check?: string };
}

const ASSISTANT_TEXTS: Record<string, string> = {
  'turn.assistant.message': 'message',
  'model.call.completed': 'text',
};

/** The assistant messages before the final output. */
export function assistantMessages(events: readonly EvidenceEvent[]): Exposure[] {
  return events.flatMap((event) => {
    const field = ASSISTANT_TEXTS[event.event_type];
    return field === undefined ? [] : exposed(event, textIn(event.payload, field));
  });
}

/** The last final output. */
export function finalOutput(events: readonly EvidenceEvent[]): Exposure[] {
  const event = events.findLast(({ event_type }) => event_type === 'system.output.finalized');
  return event === undefined ? [] : exposed(event, textIn(event.payload, 'final_output'));
}

/** Arguments of every tool call, as JSON. */
export function toolArguments(events: readonly EvidenceEvent[]): Exposure[] {
  return events
    .filter(({ event_type }) => event_type === 'tool.call.completed' || event_type === 'tool.call.failed')
    .flatMap((event) => exposed(event, jsonText(event.payload.arguments ?? null)));
}

/** Files captured from the workspace. */
export function capturedFiles(events: readonly EvidenceEvent[]): Exposure[] {
  return events.flatMap((event) => {
    if (event.event_type !== 'grader.verification.file_captured') return [];
    const path = textIn(event.payload, 'path') ?? '';
    const check = textIn(event.payload, 'key');
    return exposed(event, textIn(event.payload, 'content')).map((exposure) => ({
      ...exposure,
      file: check === undefined ? { path } : { path, check },
    }));
  });
}

/** What the agent was shown while it worked: user messages and tool results. */
export function shownTexts(events: readonly EvidenceEvent[]): Exposure[] {
  return events.flatMap((event) => {
    if (event.event_type === 'turn.user.message') return exposed(event, textIn(event.payload, 'message'));
    if (!event.event_type.startsWith('tool.call.')) return [];
    return stringsIn(event.payload.result).flatMap((text) => exposed(event, text));
  });
}

/** Every string within a JSON value, member names aside. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isRecord(value) ? Object.values(value).flatMap(stringsIn) : [];
}

function exposed(event: EvidenceEvent, text: string | undefined): Exposure[] {
  return text === undefined ? [] : [{ text, sequence_number: event.sequence_number }];
}
