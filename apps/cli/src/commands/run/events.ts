import type { RecordedEvent } from '@agentclash/api';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { Interrupt } from '../../follow/interrupt.js';
import { agentsOf, getRun } from '../../lookup/runs.js';
import type { Session } from '../../session.js';
import { duration } from '../../terminal/figures.js';
import type { Paint } from '../../terminal/output.js';
import { oneLine } from '../../terminal/printable.js';
import { recordedEvents } from './recorded-events.js';

interface Input {
  run: string;
  follow?: boolean;
  after?: number;
}

/** Position, time, whose, type, payload; NDJSON with --json. */
export async function run(
  session: Session,
  { run: reference, follow, after }: Input,
): Promise<ExitCode | undefined> {
  const { out } = session;
  const client = await session.client();
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
      out.warn(`Lost the server; trying again for ${duration(reconnectTimeoutMs)}`),
    onBack: () => out.warn('The server is back'),
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
    out.note(`Go on with: agentclash run events ${id} --follow --after ${position}`);
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
