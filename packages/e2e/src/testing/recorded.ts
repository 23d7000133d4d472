/** An event as `run export` writes it, as far as tests look at it. */
export interface Recorded {
  attempt_id?: string;
  delivery?: number;
  sequence_number: number;
  position: number;
  event_type: string;
  payload: Record<string, unknown>;
}

/** By what member a start finds its end; null where only one is open at a time. */
const PAIRED_BY: Readonly<Record<string, string | null>> = {
  'system.run': null,
  'system.step': 'step_index',
  'model.call': 'call_id',
  'tool.call': 'tool_call_id',
  'sandbox.command': 'command_id',
  scoring: null,
};

export function readRecorded(ndjson: string): Recorded[] {
  return ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Recorded);
}

/** The problems of a run's history: gaps, and starts that have no end, or more than one. Empty when it is whole. */
export function historyProblems(events: readonly Recorded[]): string[] {
  const histories = new Map<string, Recorded[]>();
  for (const event of events) {
    // Without a delivery it is numbered within the run, also where it is about an attempt.
    const { attempt_id, delivery } = event;
    const key = delivery === undefined ? 'run' : `${attempt_id} delivery ${delivery}`;
    histories.set(key, [...(histories.get(key) ?? []), event]);
  }
  return [...histories].flatMap(([key, history]) =>
    [...gaps(history), ...unclosed(history)].map((problem) => `${key}: ${problem}`),
  );
}

function gaps(history: readonly Recorded[]): string[] {
  const numbers = history.map(({ sequence_number }) => sequence_number);
  const isWhole = numbers.every((number, index) => number === index + 1);
  return isWhole ? [] : [`numbered ${numbers.join(', ')}`];
}

function unclosed(history: readonly Recorded[]): string[] {
  const open: string[] = [];
  const problems: string[] = [];
  for (const { event_type, payload } of history) {
    const [, base = '', ending] = /^(.+)\.(started|completed|failed)$/.exec(event_type) ?? [];
    const member = PAIRED_BY[base];
    if (member === undefined) continue;
    const key = `${base} ${member === null ? '' : payload[member]}`;
    if (ending === 'started') {
      open.push(key);
      continue;
    }
    // A payload that is too large for a reply comes as a reference, which does not name what has ended.
    const isReference = typeof payload.$ref === 'string';
    const isItsStart = (each: string) => (isReference ? each.startsWith(`${base} `) : each === key);
    const at = open.findLastIndex(isItsStart);
    // A delivery that was lost before its first event has its failure on record and nothing else.
    if (at < 0 && history[0]?.event_type === 'system.run.failed') continue;
    if (at < 0) problems.push(`${key} ended without a start`);
    else open.splice(at, 1);
  }
  return [...problems, ...open.map((key) => `${key} has not ended`)];
}
