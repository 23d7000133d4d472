import { type Client, type RecordedEvent, routes } from '@agentclash/api';
import { CommandError } from '../../command-error.js';

/** What is recorded of a run up to now, as the server writes it: one JSON text a line. */
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
  if (response.body === null) throw new CommandError('unavailable', 'The events did not come');
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
