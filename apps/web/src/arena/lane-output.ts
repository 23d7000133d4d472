import type { LiveEvent, RecordedEvent } from '@agentclash/api';
import { textIn } from '@agentclash/domain';
import { type TailKind, tailText } from './tail-line.js';

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
    // What scoring records is no output of the agent.
    if (event.source === 'worker_scoring') return;
    if (textIn(event.payload, 'call_id') === this.streaming?.callId) this.streaming = null;
    const text = tailText(event);
    if (text === undefined) return;
    const line = { position: event.position, caseKey: event.case_key ?? '', ...text };
    this.tail = [...this.tail.slice(1 - TAIL_LINES), line];
  }

  stream({ case_key: caseKey = '', payload: { call_id: callId, text } }: LiveEvent): void {
    const before = this.streaming?.callId === callId ? this.streaming.text : '';
    this.streaming = { callId, caseKey, text: (before + text).slice(-STREAMED_CHARACTERS) };
  }
}
