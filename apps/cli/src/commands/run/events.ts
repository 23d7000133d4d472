import type { RecordedEvent } from '@agentclash/api';
import { EXIT, type ExitCode } from '../../exit.js';
import { Interrupt } from '../../follow/interrupt.js';
import { getRun } from '../../lookup/runs.js';
import type { Session } from '../../session.js';
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
  if (!follow) {
    for await (const event of recordedEvents(client, id, after)) {
      out.record(event, () => eventLine(event, out.paint));
    }
    return undefined;
  }
  const interrupt = new Interrupt();
  let position = after ?? 0;
  try {
    for await (const event of client.events(id, { after, signal: interrupt.signal })) {
      position = event.position;
      out.record(event, () => eventLine(event, out.paint));
    }
    return undefined;
  } catch (error) {
    if (!interrupt.happened) throw error;
    out.note(`Go on with: agentclash run events ${id} --follow --after ${position}`);
    return EXIT.try_again;
  } finally {
    interrupt.release();
  }
}

const PAYLOAD_CHARACTERS_MAX = 120;

function eventLine(event: RecordedEvent, paint: Paint): string {
  const { position, occurred_at: at, event_type: type, case_key: caseKey, repetition, payload } = event;
  const whose = caseKey === undefined ? 'run' : `${oneLine(caseKey)} #${repetition ?? 1}`;
  return [
    paint.dim(String(position).padStart(6)),
    paint.dim(at.slice(11, 23)),
    whose,
    paint.bold(type),
    paint.dim(oneLine(JSON.stringify(payload), PAYLOAD_CHARACTERS_MAX)),
  ].join('  ');
}
