import type { ReplayCut, ReplayStep } from '@agentclash/api';
import { isRecord } from '@agentclash/domain';

/** A value of a step as it is shown, with the place of the whole where a part of it is left out. */
export interface ShownValue {
  value: unknown;
  whole?: WholeValue;
}

/** Where the whole of a value is. */
export interface WholeValue {
  /** Number of the event. */
  event: number;
  /** Members and indexes within its payload. */
  path: ReplayCut['at'];
  /** Characters or, of a payload that is stored separately, bytes. */
  length: number;
}

/** The value at a place of a step, such as `['result', 'text']`; undefined where there is none. */
export function shownAt(step: ReplayStep, at: ReplayCut['at']): ShownValue | undefined {
  const value = valueAt({ input: step.input, result: step.result }, at);
  const cuts = (step.cuts ?? []).filter((cut) => at.every((part, index) => cut.at[index] === part));
  const [first] = cuts;
  if (first === undefined) return value === undefined ? undefined : { value };
  const length = cuts.reduce((sum, cut) => sum + cut.length, 0);
  return { value, whole: { event: first.event, path: pathInPayload(at), length } };
}

/** The messages of a model call are a payload of their own below its input. */
function pathInPayload(at: ReplayCut['at']): ReplayCut['at'] {
  return at.slice(at[0] === 'input' && at[1] === 'sent' ? 2 : 1);
}

/** The value at a path within a JSON value. */
export function valueAt(value: unknown, path: ReplayCut['at']): unknown {
  let found = value;
  for (const part of path) {
    if (Array.isArray(found)) found = found[Number(part)];
    else if (isRecord(found) && Object.hasOwn(found, part)) found = found[String(part)];
    else return undefined;
  }
  return found;
}

/** Any value as text: JSON of all but strings. */
export function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

/** A member or an element of indented JSON that is a text. */
const TEXT_LINE = /^(\s*)((?:"(?:[^"\\]|\\.)*": )?)("(?:[^"\\]|\\.)*")(,?)$/;
const MARKS = '"""';

/** Indented JSON in which texts of several lines are real lines between marks: for reading, and no JSON any more. */
export function withRealLines(json: string): string {
  return json.split('\n').map(linesOfText).join('\n');
}

function linesOfText(line: string): string {
  const [, indent = '', name = '', text, comma = ''] = line.includes('\\n')
    ? (TEXT_LINE.exec(line) ?? [])
    : [];
  if (text === undefined) return line;
  const lines = String(JSON.parse(text)).trimEnd().split('\n');
  if (lines.length < 2) return line;
  const within = lines.map((each) => `${indent}  ${each}`);
  return [`${indent}${name}${MARKS}`, ...within, `${indent}${MARKS}${comma}`].join('\n');
}
