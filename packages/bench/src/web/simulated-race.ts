import { once } from 'node:events';
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Client,
  type LiveEvent,
  type RecordedEvent,
  type Run,
  type RunAgent,
  routes,
} from '@agentclash/api';
import { eventCount, idOf, type RaceScript, raceEvents } from './race-script.js';

type RaceEvent = RecordedEvent | LiveEvent;

const TURNS_PER_SECOND = 50;
const BATCH = 500;

/** Sends the events of a scripted race to one reader, at a given pace, behind a proxy of the product. */
export class SimulatedRace {
  /** Recorded events of the whole race. */
  readonly total: number;
  /** Events sent so far, recorded or not. */
  sent = 0;
  private readonly events: Generator<RaceEvent, void, undefined>;
  private reader: ServerResponse | undefined;
  private isOver = false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    private readonly responses: ReadonlyMap<string, unknown>,
    private readonly script: RaceScript,
  ) {
    this.events = raceEvents(script);
    this.total = eventCount(script);
    server.on('request', (request, response) => this.serve(request, response));
  }

  /** In the place of a run that there is, with as many lanes as wanted. */
  static async replacing(
    { client, url }: { client: Client; url: string },
    runId: string,
    { lanes, ...script }: Omit<RaceScript, 'runId' | 'laneIds'> & { lanes: number },
  ): Promise<SimulatedRace> {
    const run = await client.call(routes.runs.get, { params: { run_id: runId } });
    const { items } = await client.call(routes.runs.agents, { params: { run_id: runId } });
    const [agent] = items;
    if (agent === undefined) throw new Error('the run has no lane');
    const laneIds = Array.from({ length: lanes }, (_, index) => idOf('f', index));
    const path = `/v1/workspaces/${run.workspace_id}/runs/${runId}`;
    const responses = new Map<string, unknown>([
      [
        path,
        {
          ...run,
          status: 'running',
          finished_at: null,
          progress: untouched(lanes * script.cases),
        } satisfies Run,
      ],
      [
        `${path}/agents`,
        { items: laneIds.map((id, index) => laneOf(agent, { id, index, cases: script.cases })) },
      ],
    ]);
    const server = createServer();
    const race = new SimulatedRace(server, new URL(url), responses, { ...script, runId, laneIds });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return race;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sends so many further events, evenly over time when a pace is given. */
  async publish(count: number, eventsPerSecond = Number.POSITIVE_INFINITY): Promise<void> {
    const size = Math.max(1, Math.min(BATCH, eventsPerSecond / TURNS_PER_SECOND));
    const startedAt = performance.now();
    for (let sent = 0; sent < count && !this.isOver; ) {
      const batch = this.take(Math.min(size, count - sent));
      sent += size;
      await this.send(batch);
      const dueAt = startedAt + (sent / eventsPerSecond) * 1_000;
      await delay(Math.max(0, dueAt - performance.now()));
    }
  }

  /** Sends all remaining events, as fast as the reader takes them. */
  async finish(): Promise<void> {
    await this.publish(Number.POSITIVE_INFINITY);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private take(count: number): RaceEvent[] {
    const batch: RaceEvent[] = [];
    while (batch.length < count) {
      const next = this.events.next();
      this.isOver = next.done === true;
      if (next.done === true) break;
      batch.push(next.value);
    }
    return batch;
  }

  /** Until the reader has taken it. */
  private async send(batch: readonly RaceEvent[]): Promise<void> {
    const { reader } = this;
    if (reader === undefined) throw new Error('the race has no reader');
    this.sent += batch.length;
    if (!reader.write(batch.map(eventText).join(''))) await once(reader, 'drain');
    if (this.isOver) reader.end();
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url?.split('?')[0] ?? '';
    const known = this.responses.get(path);
    if (known !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(known));
    } else if (path.endsWith(`/runs/${this.script.runId}/events`)) {
      if (this.isOver) response.writeHead(204).end();
      else this.reader = response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
    } else this.passOn(request, response);
  }

  private passOn(request: IncomingMessage, response: ServerResponse): void {
    const { hostname, port } = this.target;
    const { method, url, headers } = request;
    const onward = forward({ hostname, port, method, path: url, headers }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 502, upstream.headers);
      upstream.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }
}

function eventText(event: RaceEvent): string {
  const id = 'position' in event ? `id: ${event.position}\n` : '';
  return `${id}event: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function laneOf(
  agent: RunAgent,
  { id, index, cases }: { id: string; index: number; cases: number },
): RunAgent {
  return {
    ...agent,
    id,
    name: `racer-${index + 1}`,
    status: 'running',
    progress: untouched(cases),
    overall_so_far: null,
  };
}

function untouched(total: number): Run['progress'] {
  return { total, queued: total, running: 0, finished: 0, scored: 0, passed: 0, by_outcome: {} };
}
