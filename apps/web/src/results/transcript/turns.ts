import type { ReplayStep } from '@agentclash/api';
import type { ShownValue } from './shown-value.js';

/** A call of a tool with its result. */
export interface ToolCall {
  /** Distinguishes it among the calls of its turn. */
  key: string;
  name: string;
  arguments: ShownValue;
  /** Undefined before, and for a tool whose result was not sent back to the model. */
  result?: ShownValue;
  isFailed: boolean;
  durationMs: number | null;
}

/** Figures of a model call; null is unknown. */
export interface CallFigures {
  model: string;
  inputTokens: number | null;
  outputTokens: number | null;
  cachedTokens: number | null;
  reasoningTokens: number | null;
  costUsd: number | null;
  /** To the first fragment of the reply. */
  firstTokenMs: number | null;
  durationMs: number | null;
  /** Undefined for the usual ends: a reply that is complete, and one that calls tools. */
  finishReason?: string;
  servedFrom?: string;
  tries: number;
}

/** One part of a transcript. */
export type Turn = { /** Of the step that it begins with. */ step: number; time: TurnTime | null } & (
  | { kind: 'prompt'; role: 'system' | 'user' | 'assistant' | 'tool'; text: ShownValue; note?: string }
  | { kind: 'reply'; text?: ShownValue; calls: ToolCall[]; figures?: CallFigures; isOpen?: boolean }
  | { kind: 'tool'; calls: ToolCall[] }
  | {
      kind: 'command';
      argv: string;
      exit: string;
      output?: ShownValue;
      errors?: ShownValue;
      isFailed: boolean;
    }
  | { kind: 'output'; text: ShownValue }
  | { kind: 'note'; text: string; isProblem: boolean; whole?: ShownValue }
);

export type TurnOf<K extends Turn['kind']> = Extract<Turn, { kind: K }>;

/** Milliseconds since the epoch. */
export interface TurnTime {
  from: number;
  to: number;
}

export function timeOf({ started_at, finished_at, duration_ms }: ReplayStep): TurnTime {
  const from = Date.parse(started_at);
  const to = finished_at === null ? from : Date.parse(finished_at);
  return { from, to: Math.max(to, from + (duration_ms ?? 0)) };
}

/** The time from the first turn to the end of the last; undefined where no time passes. */
export function spanOf(turns: readonly Turn[]): TurnTime | undefined {
  let span: TurnTime | undefined;
  for (const { time } of turns) {
    if (time === null) continue;
    span = span ? { from: Math.min(span.from, time.from), to: Math.max(span.to, time.to) } : { ...time };
  }
  return span && span.to > span.from ? span : undefined;
}

const HEAD_PX = 72;
const LINE_PX = 20;
const LINE_LENGTH = 110;
/** Of a text before a button shows the rest. */
const LINES_MAX = 25;
const CALL_PX = 100;

/** About as high as a turn is on a wide screen, before it was measured. */
export function heightOf(turn: Turn | undefined): number {
  if (turn === undefined) return HEAD_PX;
  const text = 'text' in turn ? turn.text : undefined;
  const written = typeof text === 'object' ? linesOf(text) : 1;
  const calls = 'calls' in turn ? turn.calls : [];
  const inCalls = calls.reduce((sum, call) => sum + linesOf(call.arguments) + linesOf(call.result), 0);
  return HEAD_PX + LINE_PX * (written + inCalls) + CALL_PX * calls.length;
}

function linesOf(shown: ShownValue | undefined): number {
  if (shown === undefined) return 1;
  const { value } = shown;
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  const lines = text.slice(0, LINES_MAX * LINE_LENGTH).split('\n');
  return Math.min(
    LINES_MAX,
    lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_LENGTH)), 0),
  );
}
