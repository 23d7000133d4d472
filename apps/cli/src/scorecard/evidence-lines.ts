import { oneLine } from '../terminal/printable.js';
import type { ValidatorRow } from './attempt-card.js';

/** What is read of an event: its number and what it holds. */
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
