import type { LiveEvent, RecordedEvent } from '@agentclash/api';

/** A scripted race: every lane runs each case once. */
export interface RaceScript {
  runId: string;
  laneIds: readonly string[];
  cases: number;
  /** Attempts of a lane that run side by side. */
  atOnce: number;
  /** From its first event to its last by their own times, in milliseconds. */
  lastsMs: number;
}

type ScriptedEvent = Pick<RecordedEvent, 'event_type' | 'payload'>;
type Attempt = Pick<RecordedEvent, 'run_agent_id' | 'attempt_id' | 'case_key' | 'repetition' | 'delivery'>;

const STEPS = 4;
const STARTED_AT = Date.parse('2026-01-01T00:00:00Z');
const CALL_USAGE = { usage: { input: 800, output: 120, total: 920 }, cost_usd: 0.002 };
const OUTPUT = 'The tests name two functions; I read the file, correct the second and run them. '.repeat(4);

/** How many events the race has that are recorded. */
export function eventCount({ laneIds, cases }: Pick<RaceScript, 'laneIds' | 'cases'>): number {
  return laneIds.length * cases * [...attemptEvents(0)].filter(isRecorded).length + 1;
}

/** The events of the race as a server sends them, attempts interleaved; the same ones for the same script. */
export function* raceEvents(script: RaceScript): Generator<RecordedEvent | LiveEvent, void, undefined> {
  const { runId, lastsMs } = script;
  const total = eventCount(script);
  let position = 0;
  const common = () => ({
    ...{
      event_id: idOf('e', position),
      schema_version: '1',
      run_id: runId,
      source: 'native_engine',
      summary: {},
    },
    occurred_at: new Date(STARTED_AT + (lastsMs * position) / total).toISOString(),
  });
  for (const { event, attempt } of interleaved(script)) {
    if (!isRecorded(event)) {
      yield { ...common(), ...attempt, ...event } as LiveEvent;
      continue;
    }
    position += 1;
    yield { ...common(), ...attempt, ...event, position, sequence_number: position } as RecordedEvent;
  }
  position += 1;
  const end = { event_type: 'run.completed', payload: { status: 'completed' } };
  yield { ...common(), ...end, position, sequence_number: position } as RecordedEvent;
}

function isRecorded({ event_type }: ScriptedEvent): boolean {
  return event_type !== 'model.output.delta';
}

interface Line {
  event: ScriptedEvent;
  attempt: Attempt;
}

/** One event of each attempt under way, in turn. */
function* interleaved({ laneIds, cases, atOnce }: RaceScript): Generator<Line, void, undefined> {
  let live = laneIds.flatMap((laneId, lane) =>
    Array.from({ length: atOnce }, (_, first) => lines({ laneId, lane, first, cases, atOnce })),
  );
  while (live.length > 0) {
    const going: typeof live = [];
    for (const thread of live) {
      const next = thread.next();
      if (next.done === true) continue;
      going.push(thread);
      yield next.value;
    }
    live = going;
  }
}

interface Thread {
  laneId: string;
  lane: number;
  /** Its first case; then every `atOnce`-th. */
  first: number;
  cases: number;
  atOnce: number;
}

function* lines({ laneId, lane, first, cases, atOnce }: Thread): Generator<Line, void, undefined> {
  for (let at = first; at < cases; at += atOnce) {
    const position = { case_key: `case-${at}`, repetition: 1, delivery: 1 };
    const attempt = { run_agent_id: laneId, attempt_id: idOf('a', lane * cases + at), ...position };
    for (const event of attemptEvents(at + lane)) yield { event, attempt };
  }
}

/** Events of one attempt; `which` decides whether it passes. */
function* attemptEvents(which: number): Generator<ScriptedEvent, void, undefined> {
  const moved = (from: string, to: string): ScriptedEvent => ({
    event_type: 'attempt.state_changed',
    payload: { from, to, ...(to === 'finished' && { reason: 'completed' }) },
  });
  yield moved('queued', 'preparing');
  yield moved('preparing', 'running');
  yield { event_type: 'system.run.started', payload: {} };
  for (let step = 1; step <= STEPS; step += 1) {
    const [call_id, tool_call_id] = [`model-${which}-${step}`, `tool-${which}-${step}`];
    const tool = { tool_call_id, tool_name: 'read_file' };
    yield { event_type: 'system.step.started', payload: { step_index: step } };
    yield { event_type: 'model.call.started', payload: { call_id, model: 'simulated' } };
    for (const text of [OUTPUT.slice(0, 160), OUTPUT.slice(160)])
      yield { event_type: 'model.output.delta', payload: { call_id, kind: 'text', text } };
    yield { event_type: 'model.call.completed', payload: { call_id, text: OUTPUT, ...CALL_USAGE } };
    yield { event_type: 'tool.call.started', payload: { ...tool, arguments: { path: `notes/${step}.md` } } };
    yield { event_type: 'tool.call.completed', payload: { ...tool, result: { content: OUTPUT } } };
    yield { event_type: 'system.step.completed', payload: { step_index: step } };
  }
  yield { event_type: 'system.output.finalized', payload: { final_output: OUTPUT } };
  yield {
    event_type: 'system.run.completed',
    payload: { outcome: 'completed', usage: { total: 3_680 }, cost_usd: 0.008 },
  };
  yield moved('running', 'settling');
  yield moved('settling', 'finished');
  const passed = which % 3 !== 0;
  yield { event_type: 'run.attempt_scored', payload: { passed, overall: passed ? 1 : 0.25 } };
}

/** A UUID made of a kind's letter and a number. */
export function idOf(kind: 'a' | 'e' | 'f', number: number): string {
  return `00000000-0000-7000-8000-${kind}${number.toString(16).padStart(11, '0')}`;
}
