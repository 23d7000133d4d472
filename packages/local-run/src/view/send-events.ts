import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type Client, routes } from '@agentclash/api';
import { hasRunEnded } from '@agentclash/domain';

const HEARTBEAT_MS = 15_000;

/**
 * Sends the events of a run as server-sent events. Of a run that has ended the stream ends with the last, and is 204
 * after it; of an interrupted one it stays open: a reader that saw its end would connect again and again.
 */
export async function sendEvents(
  client: Client,
  { runId, after }: { runId: string; after: number },
  response: ServerResponse,
): Promise<void> {
  const { status } = await client.call(routes.runs.get, { params: { run_id: runId } });
  const events = client.events(runId, { after });
  let next = await events.next();
  if (next.done && hasRunEnded(status)) {
    response.writeHead(204).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (; !next.done && !response.closed; next = await events.next()) {
    const { position, event_type } = next.value;
    const text = `id: ${position}\nevent: ${event_type}\ndata: ${JSON.stringify(next.value)}\n\n`;
    if (!response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  if (hasRunEnded(status)) {
    response.end();
    return;
  }
  const alive = setInterval(() => response.write(': alive\n\n'), HEARTBEAT_MS);
  await once(response, 'close');
  clearInterval(alive);
}
