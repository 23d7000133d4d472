import { type Client, type RecordedEvent, routes } from '@agentclash/api';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import { Interrupt } from '../../follow/interrupt.js';
import { runSource } from '../../lookup/run-source.js';
import { agentsOf, getRun } from '../../lookup/runs.js';
import type { Session } from '../../session/session.js';
import { duration } from '../../terminal/figures.js';
import type { Paint } from '../../terminal/output.js';
import { oneLine } from '../../terminal/printable.js';

interface Input {
  run: string;
  follow?: boolean;
  after?: number;
}

/** Position, time, whose, type, payload; NDJSON with --json. */
export async function showEvents(
  session: Session,
  { run: given, follow, after }: Input,
): Promise<ExitCode | undefined> {
  const { out } = session;
  const { client, reference } = await runSource(session, given);
  const { id } = await getRun(client, reference);
  const lanes = new Map((await agentsOf(client, id)).map((agent) => [agent.id, agent.name]));
  const show = (event: RecordedEvent) => out.record(event, () => eventLine(event, lanes, out.paint));
  if (!follow) {
    for await (const event of recordedEvents(client, id, after)) {
      if (out.unread.aborted) break;
      show(event);
    }
    return undefined;
  }
  const interrupt = new Interrupt();
  let position = after ?? 0;
  const watching = {
    after,
    signal: AbortSignal.any([interrupt.signal, out.unread]),
    onLost: (reconnectTimeoutMs: number) =>
      out.warn(`Connection lost; retrying for ${duration(reconnectTimeoutMs)}`),
    onBack: () => out.warn('Connection restored'),
  };
  try {
    for await (const event of client.events(id, watching)) {
      position = event.position;
      show(event);
    }
    return undefined;
  } catch (error) {
    if (out.unread.aborted) return undefined;
    if (!interrupt.happened) throw error;
    out.note(`Continue with: agentclash run events ${id} --follow --after ${position}`);
    return EXIT_CODES.try_again;
  } finally {
    interrupt.release();
  }
}

const PAYLOAD_CHARACTERS_MAX = 120;

function eventLine(event: RecordedEvent, lanes: ReadonlyMap<string, string>, paint: Paint): string {
  const { position, occurred_at: at, event_type: type, payload } = event;
  return [
    paint.dim(String(position).padStart(6)),
    paint.dim(at.slice(11, 23)),
    whoseText(event, lanes),
    paint.bold(type),
    paint.dim(oneLine(JSON.stringify(payload), PAYLOAD_CHARACTERS_MAX)),
  ].join('  ');
}

function whoseText(
  { run_agent_id: agentId, case_key: caseKey, repetition }: RecordedEvent,
  lanes: ReadonlyMap<string, string>,
): string {
  if (agentId === undefined) return 'run';
  const lane = oneLine(lanes.get(agentId) ?? agentId);
  return caseKey === undefined ? lane : `${lane} ${oneLine(caseKey)} #${repetition ?? 1}`;
}

/** The events of a run up to now, as the server writes it: one JSON text a line. */
export async function* recordedLines(
  client: Client,
  runId: string,
  after = 0,
): AsyncGenerator<string, void, undefined> {
  const response = await client.call(routes.runs.events, {
    params: { run_id: runId },
    query: { format: 'ndjson', after },
  });
  if (response.status === 204) return;
  if (response.body === null)
    throw new CommandError('unavailable', 'The events are missing: the response has no body');
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
  if (rest !== '') yield rest;
}

export async function* recordedEvents(
  client: Client,
  runId: string,
  after?: number,
): AsyncGenerator<RecordedEvent, void, undefined> {
  for await (const line of recordedLines(client, runId, after)) yield JSON.parse(line) as RecordedEvent;
}
