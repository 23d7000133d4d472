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
};

export function readRecorded(ndjson: string): Recorded[] {
  return ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Recorded);
}

/** What is wrong with a run's history: gaps, and starts that have no end, or more than one. Empty when it is whole. */
export function historyFaults(events: readonly Recorded[]): string[] {
  const histories = new Map<string, Recorded[]>();
  for (const event of events) {
    // Without a delivery it is numbered within the run, also where it is about an attempt.
    const { attempt_id, delivery } = event;
    const key = delivery === undefined ? 'run' : `${attempt_id} delivery ${delivery}`;
    histories.set(key, [...(histories.get(key) ?? []), event]);
  }
  return [...histories].flatMap(([key, history]) =>
    [...gaps(history), ...unclosed(history)].map((fault) => `${key}: ${fault}`),
  );
}

function gaps(history: readonly Recorded[]): string[] {
  const numbers = history.map(({ sequence_number }) => sequence_number);
  const isWhole = numbers.every((number, index) => number === index + 1);
  return isWhole ? [] : [`numbered ${numbers.join(', ')}`];
}

function unclosed(history: readonly Recorded[]): string[] {
  const ends = new Map<string, number>();
  for (const { event_type, payload } of history) {
    const [, base = '', ending] = /^(.+)\.(started|completed|failed)$/.exec(event_type) ?? [];
    const member = PAIRED_BY[base];
    if (member === undefined) continue;
    const key = `${base} ${member === null ? '' : String(payload[member])}`;
    ends.set(key, (ends.get(key) ?? 0) + (ending === 'started' ? -1 : 1));
  }
  return [...ends]
    .filter(([, count]) => count !== 0)
    .map(([key, count]) => `${key} closed ${1 + count} times`);
}
