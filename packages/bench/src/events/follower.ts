/** What one reader of a run's stream has seen. */
export interface Followed {
  events: number;
  /** From the timestamp of an event to its arrival here, in milliseconds. */
  latencies: number[];
}

export interface FollowOptions {
  url: string;
  token: string;
  workspace: string;
  runId: string;
  /** Only every so many events are looked into: reading is not what is measured. */
  sampleEvery?: number;
}

const BOUNDARY = '\n\n';
const OCCURRED_AT = /"occurred_at":"([^"]+)"/;

/** Reads the server-sent events of a run over one connection until the server ends it. */
export async function follow({
  url,
  token,
  workspace,
  runId,
  sampleEvery = 1,
}: FollowOptions): Promise<Followed> {
  const response = await fetch(`${url}/v1/workspaces/${workspace}/runs/${runId}/events`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  });
  if (!response.ok || response.body === null) throw new Error(`the stream responded ${response.status}`);
  const followed: Followed = { events: 0, latencies: [] };
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const arrivedAt = Date.now();
    const messages = (rest + chunk).split(BOUNDARY);
    rest = messages.pop() ?? '';
    for (const message of messages) {
      if (!message.includes('data:')) continue;
      followed.events += 1;
      if (followed.events % sampleEvery !== 0) continue;
      const occurredAt = OCCURRED_AT.exec(message)?.[1];
      if (occurredAt !== undefined) followed.latencies.push(arrivedAt - Date.parse(occurredAt));
    }
  }
  return followed;
}
