import { type Compared, comparedSentence, expectedPhrase, firstDifference } from '@agentclash/api';
import { oneLine } from '../terminal/printable.js';
import type { ValidatorRow } from './attempt-card.js';

/** The shown part of a text that is too long for a sentence. */
const SHOWN_MAX = 100;
/** Of which so much is before the first difference. */
const SHOWN_BEFORE = 30;

/** For each validator that did not pass what it expected and what it got, in one line, or one for each side. */
export function comparedLines(validators: readonly ValidatorRow[]): string[] {
  return validators.flatMap(({ key, type, compared }) => {
    if (compared === undefined) return [];
    const name = oneLine(key);
    const sentence = comparedSentence(type, compared);
    if (sentence !== undefined) return [`${name}  ${oneLine(sentence)}`];
    return [name, ...sideLines(type, compared).map((line) => `  ${line}`)];
  });
}

function sideLines(type: string, { expected, actual }: Compared): string[] {
  const at = expected === null || actual === null ? 0 : firstDifference(expected.text, actual.text);
  const [first, second] = [`${expectedPhrase(type)}:`, 'got:'];
  const width = Math.max(first.length, second.length);
  return [
    ...(expected === null ? [] : [`${first.padEnd(width)}  ${cutAround(expected, at)}`]),
    `${second.padEnd(width)}  ${actual === null ? '(nothing)' : cutAround(actual, at)}`,
  ];
}

/** The part of the text around the place, with how long all of it is where it is more. */
function cutAround({ text, from = 0, length = text.length }: NonNullable<Compared['actual']>, at: number) {
  const start = text.length <= SHOWN_MAX ? 0 : Math.max(0, at - SHOWN_BEFORE);
  const part = text.slice(start, start + SHOWN_MAX);
  const isWhole = part.length === length;
  const before = from + start > 0 ? '…' : '';
  const after = from + start + part.length < length ? '…' : '';
  const note = isWhole ? '' : `  (${length} characters, from ${from + start + 1})`;
  return `${before}${oneLine(part)}${after}${note}`;
}

/** The members of an event that are read: its number and its payload. */
export interface EvidenceEvent {
  sequence_number: number;
  event_type: string;
  payload: Readonly<Record<string, unknown>>;
}

const CHARACTERS_MAX = 100;

/**
 * For each validator that did not pass and whose scorecard does not hold what was compared, as one of an earlier release,
 * what its evidence holds, on one line: the value, the file, the last line of a test run.
 */
export function evidenceLines(
  validators: readonly ValidatorRow[],
  events: readonly EvidenceEvent[],
): string[] {
  return validators.flatMap(({ key, verdict, evidence, compared }) => {
    if (verdict === 'pass' || evidence === null || compared !== undefined) return [];
    const event = events.find(({ sequence_number: number }) => number === evidence.to_sequence);
    const seen = event === undefined ? undefined : seenIn(event.payload);
    return seen === undefined ? [] : [`${oneLine(key)} saw  ${oneLine(seen, CHARACTERS_MAX)}`];
  });
}

function seenIn(payload: EvidenceEvent['payload']): string | undefined {
  const { final_output: output, content, exists, report, stdout_tail: stdout, stderr_tail: stderr } = payload;
  if (typeof output === 'string') return output === '' ? '(nothing)' : output;
  if (exists === false) return '(no such file)';
  if (typeof content === 'string') return content === '' ? '(an empty file)' : content;
  if (typeof report === 'string') return countsOf(report) ?? lastLine(stdout);
  return lastLine(stdout) ?? lastLine(stderr);
}

/** The counts of a JUnit report's outermost element. */
function countsOf(report: string): string | undefined {
  const head = /<testsuites?\b[^>]*\btests="[^>]*>/.exec(report)?.[0];
  if (head === undefined) return undefined;
  const counts = [...head.matchAll(/\b(tests|failures|errors|skipped)="(\d+)"/g)];
  return counts.map(([, name, number]) => `${number} ${name}`).join(', ');
}

function lastLine(text: unknown): string | undefined {
  return typeof text === 'string' ? text.trimEnd().split('\n').at(-1) || undefined : undefined;
}
